import { setTimeout as delay } from 'node:timers/promises'
import { treeMembers, wholeGroups, type ProcessEntry, type ProcessIdentity } from './process-table.ts'
import { systemProcesses } from './system-processes.ts'

export interface TreeTarget {
  /** The child at the top, if this process knows it. */
  readonly root: ProcessIdentity | null
  /** The root only wraps the others, and its death would be theirs: it gets no TERM. */
  readonly isWrapper?: boolean
  /** Finds what left the tree, as long as it kept its environment. So two children at once must not share one. */
  readonly runId: string
}

export interface TreeGrace {
  /** From the first TERM to the first KILL. */
  readonly termMs: number
  /** How long KILL is repeated before what is left (uninterruptible, another user's) is reported. */
  readonly killMs: number
}

export interface TreeEnd {
  /** How many processes were found and are gone. */
  readonly ended: number
  /** How many of them had to be killed. */
  readonly killed: number
  /** What could not be ended. */
  readonly survivors: readonly ProcessIdentity[]
}

export const defaultGrace: TreeGrace = { termMs: 5000, killMs: 5000 }
export const runIdVariable = 'RALPH_RUN_ID'

/**
 * Ends a child with everything below it. Agents give their tools sessions of their own, so a signal to the process group
 * misses most of them: the tree is written down before the first signal (afterwards orphans have no parent to be found
 * by), and looked for again by the run's id until nothing is found.
 */
export async function endTree(target: TreeTarget, grace: TreeGrace = defaultGrace): Promise<TreeEnd> {
  if (target.runId === '') throw new Error('a run without an id cannot be told from other processes')
  const known = new Map<string, ProcessIdentity>()
  if (target.root !== null) known.set(keyOf(target.root), target.root)
  const seen = new Set<string>()
  const asked = new Set<string>()
  const killed = new Set<string>()
  const wrapperKey = target.isWrapper === true && target.root !== null ? keyOf(target.root) : null
  const look = async (): Promise<Look> => {
    const found = await lookNow(target, known.values())
    for (const member of found.members) {
      known.set(keyOf(member), member)
      seen.add(keyOf(member))
    }
    return found
  }
  const summary = (survivors: readonly ProcessEntry[]): TreeEnd => ({
    ended: seen.size - survivors.length,
    killed: killed.size - survivors.length,
    survivors: survivors.map(({ pid, startTime }) => ({ pid, startTime })),
  })

  const termUntil = performance.now() + grace.termMs
  let { members, groups } = await look()
  while (members.length > 0 && performance.now() < termUntil) {
    for (const member of members) {
      if (asked.has(keyOf(member)) || keyOf(member) === wrapperKey) continue
      asked.add(keyOf(member))
      // A stopped process takes notice of TERM only when it goes on.
      await signalProcess(member, 'SIGTERM', 'SIGCONT')
    }
    await untilGone(members, termUntil)
    ;({ members, groups } = await look())
  }
  const killUntil = performance.now() + grace.killMs
  while (members.length > 0 && performance.now() < killUntil) {
    for (const member of members) {
      killed.add(keyOf(member))
      await signalProcess(member, 'SIGKILL')
    }
    for (const group of groups) send(-group, 'SIGKILL')
    // Short: something that forks faster than we look must be met again at once.
    await untilGone(members, Math.min(killUntil, performance.now() + 50))
    ;({ members, groups } = await look())
  }
  if (target.root !== null) await killGroupOf(target.root)
  return summary(members)
}

/** Everything of a run, from any process: for a resume after the runner itself was killed. */
export function endRun(runId: string, grace: TreeGrace = defaultGrace): Promise<TreeEnd> {
  return endTree({ root: null, runId }, grace)
}

interface Look {
  readonly members: readonly ProcessEntry[]
  readonly groups: readonly number[]
}

async function lookNow(target: TreeTarget, known: Iterable<ProcessIdentity>): Promise<Look> {
  const system = systemProcesses()
  const table = await system.table()
  const carriers = await system.carriers(table, `${runIdVariable}=${target.runId}`, target.root?.startTime ?? 0)
  const members = treeMembers(table, { known, carriers, self: process.pid })
  return { members, groups: wholeGroups(table, members) }
}

/**
 * Something that forks and exits all the time is in no table, but it is in the group that its first ancestor led. No group
 * gets the id of one that still has members, so unless the pid is a new process's the group is ours or empty.
 */
async function killGroupOf(leader: ProcessIdentity): Promise<void> {
  const now = await systemProcesses().identify(leader.pid)
  if (now === null || now.startTime === leader.startTime) send(-leader.pid, 'SIGKILL')
}

/** Looks only at the processes it waits for, first after a millisecond, later more rarely. */
async function untilGone(members: readonly ProcessIdentity[], until: number): Promise<void> {
  const system = systemProcesses()
  let left = members
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, 32)) {
    const alive = await Promise.all(left.map((member) => system.isAlive(member)))
    left = left.filter((_, index) => alive[index])
    const remainingMs = until - performance.now()
    if (left.length === 0 || remainingMs <= 0) return
    await delay(Math.min(pauseMs, remainingMs))
  }
}

/** Asks for the identity right before the signal, so that a pid that was given away since is left alone. */
async function signalProcess(identity: ProcessIdentity, ...signals: NodeJS.Signals[]): Promise<void> {
  if (!(await systemProcesses().isAlive(identity))) return
  for (const signal of signals) send(identity.pid, signal)
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // Gone in between, or turned into another user's (sudo): then it stays in the table and is reported.
    if (!(error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'EPERM'))) throw error
  }
}

const keyOf = (identity: ProcessIdentity): string => `${identity.pid}@${identity.startTime}`
