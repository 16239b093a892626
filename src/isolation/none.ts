import { dirname, sep } from 'node:path'
import { ok } from '../base/result.ts'
import type { Containment } from '../process/containment.ts'
import type { Mask } from '../process/mask.ts'
import { endRun, type TreeGrace } from '../process/end-tree.ts'
import { probeContainment, probeNesting } from '../process/probe-containment.ts'
import { runChild } from '../process/run-child.ts'
import type { Backend, Box, Isolation, Site } from './isolation.ts'

export interface DirectOptions {
  /** What `probeContainment` found. */
  readonly containment: Containment
  /** For programs that make a sandbox of their own, where that one does not let them. */
  readonly sandboxed?: Containment
  /** Keys of the user's, from `secretValues`: they reach no log, line or prompt. */
  readonly secrets?: readonly string[]
  readonly grace?: TreeGrace
}

/** A signal to the runner leaves nothing behind after 8 seconds, so both together stay below that. */
export const directGrace: TreeGrace = { termMs: 4000, killMs: 3000 }

export const none: Backend = {
  name: 'none',
  probe: async (site) => ok(directIsolation(await probeDirect(site))),
}

/** What direct mode can promise on this machine. */
export async function probeDirect(site: Site): Promise<DirectOptions> {
  const { places, secrets } = site
  const mask = maskOf(site)
  const containment = await probeContainment(places, mask)
  const sandboxed = (await probeNesting(containment, mask)) === null ? containment : await probeContainment(places)
  return { containment, sandboxed, secrets }
}

/**
 * What keeps Ralph's own files from an agent in direct mode. The project and its history may lie in the directory of the plugin
 * (a worktree of a clone that is used as one); the other way round no run begins.
 */
export const maskOf = ({ state, given, homes, pluginDir, project, gitDirs, home }: Site): Mask => ({
  hidden: state,
  readOnly: pluginDir === null ? [given] : [given, pluginDir],
  writable: [homes, project, ...gitDirs],
  pinned: directoriesAbove(state, home),
})

/** Not the home itself: others put their files beside it and link them there, and a mount is a border for that. */
function directoriesAbove(path: string, home: string): string[] {
  const above = dirname(path)
  if (above === dirname(above) || `${home}${sep}`.startsWith(`${above}${sep}`)) return []
  return [...directoriesAbove(above, home), above]
}

/** No box: agents and checks run on this machine with the user's own rights. Only their processes are held together. */
export function directIsolation(options: DirectOptions): Isolation {
  const { containment, sandboxed = containment, grace = directGrace } = options
  return {
    name: 'none',
    boxed: false,
    programs: 'host',
    description: `no box: the agent has your own rights on this machine; ${promiseOf(containment)}${exceptionOf(containment, sandboxed)}`,
    open: () => Promise.resolve(ok(directBox(options))),
    endAll: (runId) => endRun(runId, grace),
  }
}

export const directBox = ({
  containment,
  sandboxed = containment,
  secrets = [],
  grace = directGrace,
}: DirectOptions): Box => ({
  exec: ({ makesSandbox = false, ...request }) =>
    runChild({ ...request, containment: makesSandbox ? sandboxed : containment, secrets, grace }),
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
  const ends = `whatever it starts ends with it (${reason})`
  if (level === 'mask') return `Ralph's state is hidden from it, Ralph itself is read-only, ${ends}`
  return level === 'namespace' ? ends : `what it starts is ended as far as it can be found (${reason})`
}

const exceptionOf = (containment: Containment, sandboxed: Containment): string =>
  containment === sandboxed
    ? ''
    : '; not so for agents with a sandbox of their own, which cannot be made inside the mask'
