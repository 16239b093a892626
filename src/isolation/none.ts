import type { Containment } from '../process/containment.ts'
import { endRun, type TreeGrace } from '../process/end-tree.ts'
import { runChild } from '../process/run-child.ts'
import type { Isolation } from './isolation.ts'

export interface DirectOptions {
  /** What `probeContainment` found. */
  readonly containment: Containment
  /** Keys of the user's, from `secretValues`: they reach no log, line or prompt. */
  readonly secrets?: readonly string[]
  readonly grace?: TreeGrace
}

/** A signal to the runner leaves nothing behind after 8 seconds, so both together stay below that. */
const directGrace: TreeGrace = { termMs: 4000, killMs: 3000 }

/** No box: agents and checks run on this machine with the user's own rights. Only their processes are held together. */
export function directIsolation({ containment, secrets = [], grace = directGrace }: DirectOptions): Isolation {
  return {
    name: 'none',
    boxed: false,
    description: `no box: the agent has your own rights on this machine; ${promiseOf(containment)}`,
    exec: (request) => runChild({ ...request, containment, secrets, grace }),
    endAll: (runId) => endRun(runId, grace),
  }
}

function promiseOf({ level, reason }: Containment): string {
  return level === 'namespace'
    ? `whatever it starts ends with it (${reason})`
    : `what it starts is ended as far as it can be found (${reason})`
}
