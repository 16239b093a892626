import { unreachable } from '../base/unreachable.ts'
import { visibleLine } from '../base/visible.ts'
import type { Containment } from '../process/containment.ts'
import type { Finding } from './finding.ts'

/** In direct mode: how surely everything that an agent starts ends with it, and whether Ralph's own files are out of its reach. */
export function findingOfContainment(containment: Containment, platform: string): Finding {
  return {
    name: 'processes',
    kind: 'useful',
    state: containment.level === 'tree' ? 'missing' : 'ok',
    path: null,
    version: null,
    ...wordsFor(containment, platform === 'linux'),
    login: null,
  }
}

function wordsFor(containment: Containment, isLinux: boolean): Pick<Finding, 'why' | 'fix'> {
  const reason = visibleLine(containment.reason)
  switch (containment.level) {
    case 'mask':
      return {
        why: `whatever an agent starts ends with it; run directly, it can neither see Ralph's state nor change Ralph (${reason})`,
        fix: null,
      }
    case 'namespace':
      return {
        why: `whatever an agent starts ends with it (${reason}); run directly, it can reach Ralph's own files (${visibleLine(containment.noMask)})`,
        fix: 'see that bubblewrap works here (Debian: apt install bubblewrap)',
      }
    case 'tree':
      return {
        why: `what an agent starts is ended as far as it can be found (${reason})`,
        fix: isLinux ? 'install bubblewrap, or util-linux, and allow user namespaces' : null,
      }
    default:
      return unreachable(containment)
  }
}
