import { accessSync, constants, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { ok, type Result } from '../base/result.ts'
import { visibleLine } from '../base/visible.ts'
import { stateRoot } from '../journal/state-directory.ts'
import { describeFailure } from '../model/describe-failure.ts'
import type { Failure } from '../model/failure.ts'
import { attempt } from '../store/attempt.ts'
import type { Probe } from './probe.ts'

/** Where locks and journals go. It is made by the first run; here only whether that would be possible. */
export const probeState: Probe = ({ env, home }) => {
  const root = stateRoot({ env, home })
  const found = root.ok ? ensureWritable(root.value) : root
  const words = found.ok ? null : describeFailure(found.error)
  return Promise.resolve({
    name: 'state',
    kind: 'needed',
    state: words === null ? 'ok' : 'bad',
    path: root.ok ? visibleLine(root.value) : null,
    version: null,
    why: words?.what ?? null,
    fix: words?.fix ?? null,
    login: null,
  })
}

function ensureWritable(path: string): Result<void, Failure> {
  const seen = attempt('look at', path, () => statSync(path, { throwIfNoEntry: false }))
  if (!seen.ok) return seen
  if (seen.value === undefined) return dirname(path) === path ? ok(undefined) : ensureWritable(dirname(path))
  return attempt('write into', path, () => accessSync(path, constants.W_OK | constants.X_OK))
}
