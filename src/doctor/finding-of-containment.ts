import { visibleLine } from '../base/visible.ts'
import type { Containment } from '../process/containment.ts'
import type { Finding } from './finding.ts'

/** How surely everything that an agent starts ends with it. */
export function findingOfContainment({ level, reason }: Containment, platform: string): Finding {
  const isSure = level === 'namespace'
  return {
    name: 'processes',
    kind: 'useful',
    state: isSure ? 'ok' : 'missing',
    path: null,
    version: null,
    why: isSure
      ? `whatever an agent starts ends with it (${visibleLine(reason)})`
      : `what an agent starts is ended as far as it can be found (${visibleLine(reason)})`,
    fix: isSure || platform !== 'linux' ? null : 'install util-linux and allow user namespaces',
    login: null,
  }
}
