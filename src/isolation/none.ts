import { ok } from '../base/result.ts'
import type { Containment } from '../process/containment.ts'
import { endRun, type TreeGrace } from '../process/end-tree.ts'
import { probeContainment } from '../process/probe-containment.ts'
import { runChild } from '../process/run-child.ts'
import type { Backend, Box, Isolation } from './isolation.ts'

export interface DirectOptions {
  /** What `probeContainment` found. */
  readonly containment: Containment
  /** Keys of the user's, from `secretValues`: they reach no log, line or prompt. */
  readonly secrets?: readonly string[]
  readonly grace?: TreeGrace
}

/** A signal to the runner leaves nothing behind after 8 seconds, so both together stay below that. */
export const directGrace: TreeGrace = { termMs: 4000, killMs: 3000 }

export const none: Backend = {
  name: 'none',
  probe: async ({ places, secrets }) => ok(directIsolation({ containment: await probeContainment(places), secrets })),
}

/** No box: agents and checks run on this machine with the user's own rights. Only their processes are held together. */
export function directIsolation(options: DirectOptions): Isolation {
  const { containment, grace = directGrace } = options
  return {
    name: 'none',
    boxed: false,
    programs: 'host',
    description: `no box: the agent has your own rights on this machine; ${promiseOf(containment)}`,
    open: () => Promise.resolve(ok(directBox(options))),
    endAll: (runId) => endRun(runId, grace),
  }
}

export const directBox = ({ containment, secrets = [], grace = directGrace }: DirectOptions): Box => ({
  exec: (request) => runChild({ ...request, containment, secrets, grace }),
  ...hostFiles,
})

const done = () => Promise.resolve(ok(undefined))

/** Where agents see the host's own files, and each start is in a box of its own or in none. */
export const hostFiles: Omit<Box, 'exec'> = {
  writeFile: done,
  refresh: done,
  renew: done,
  dispose: () => Promise.resolve(),
}

function promiseOf({ level, reason }: Containment): string {
  return level === 'namespace'
    ? `whatever it starts ends with it (${reason})`
    : `what it starts is ended as far as it can be found (${reason})`
}
