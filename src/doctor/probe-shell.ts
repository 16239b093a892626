import { visibleLine } from '../base/visible.ts'
import { findShell } from '../process/find-shell.ts'
import type { Probe } from './probe.ts'
import { notFoundFix } from './probe-tool.ts'

/** What checks are run with. */
export const probeShell: Probe = ({ places }) => {
  const found = findShell(places)
  return Promise.resolve({
    name: 'shell',
    kind: 'needed',
    state: found.ok ? 'ok' : 'missing',
    path: found.ok ? visibleLine(found.value) : null,
    version: null,
    why: null,
    fix: found.ok ? null : notFoundFix(found.error.fix, 'add the directory that bash or sh is in to PATH'),
    login: null,
  })
}
