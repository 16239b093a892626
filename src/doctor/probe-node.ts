import { isOlder } from '../agents/compare-versions.ts'
import { visibleLine } from '../base/visible.ts'
import type { Probe } from './probe.ts'

const oldest = '20.19.0'

/** The node that this is. */
export const probeNode: Probe = ({ node }) => {
  const isOld = isOlder(node.version, oldest)
  return Promise.resolve({
    name: 'node',
    kind: 'needed',
    state: isOld ? 'old' : 'ok',
    path: visibleLine(node.path),
    version: node.version,
    why: isOld ? `before ${oldest} it lacks what Ralph uses` : null,
    fix: isOld ? `install node ${oldest} or newer (https://nodejs.org)` : null,
    login: null,
  })
}
