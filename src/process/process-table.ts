/** A pid alone says nothing: it is given to another process after a while. With the start time it is one process. */
export interface ProcessIdentity {
  readonly pid: number
  /** In a unit of the system's; only compared with others of the same system. */
  readonly startTime: number
}

export interface ProcessEntry extends ProcessIdentity {
  readonly ppid: number
  readonly groupId: number
  readonly sessionId: number
  /** A zombie: nothing runs any more, its parent has not asked yet. */
  readonly ended: boolean
}

/** The processes of one moment, by pid. */
export type ProcessTable = ReadonlyMap<number, ProcessEntry>

export interface TreeQuestion {
  /** Processes known to belong: the child itself and whatever was seen below it earlier. */
  readonly known: Iterable<ProcessIdentity>
  /** Pids that carry the run's id in their environment. */
  readonly carriers: Iterable<number>
  /** Our own pid: neither we nor anything above us is ever a member. */
  readonly self: number
}

/**
 * Every live process that belongs: the known ones that are still the same, those that carry the run's id, those left in
 * a session or group that a known one led, and all descendants of these. Roots come first.
 */
export function treeMembers(table: ProcessTable, question: TreeQuestion): ProcessEntry[] {
  const untouchable = withAncestors(table, question.self)
  const members = new Map<number, ProcessEntry>()
  const add = (entry: ProcessEntry | undefined): void => {
    if (entry !== undefined && !untouchable.has(entry.pid)) members.set(entry.pid, entry)
  }
  const leaders = new Set<number>()
  for (const identity of question.known) {
    const entry = table.get(identity.pid)
    if (entry?.startTime === identity.startTime) add(entry)
    // A pid that is somebody else's now leads somebody else's session.
    if (entry === undefined || entry.startTime === identity.startTime) leaders.add(identity.pid)
  }
  for (const pid of question.carriers) add(table.get(pid))
  const children = new Map<number, ProcessEntry[]>()
  for (const entry of table.values()) {
    if (leaders.has(entry.sessionId) || leaders.has(entry.groupId)) add(entry)
    const siblings = children.get(entry.ppid)
    if (siblings === undefined) children.set(entry.ppid, [entry])
    else siblings.push(entry)
  }
  // A Map goes on over what is added while it is walked.
  for (const pid of members.keys()) for (const child of children.get(pid) ?? []) add(child)
  return [...members.values()].filter((entry) => !entry.ended)
}

/**
 * The process groups that hold members and nobody else. A signal to a group reaches all of it in one moment, also a process
 * that forks and exits faster than any table can be read.
 */
export function wholeGroups(table: ProcessTable, members: readonly ProcessEntry[]): number[] {
  const pids = new Set(members.map((member) => member.pid))
  const groups = new Set(members.map((member) => member.groupId))
  for (const entry of table.values()) if (!pids.has(entry.pid) && !entry.ended) groups.delete(entry.groupId)
  return [...groups].filter((group) => group > 1)
}

function withAncestors(table: ProcessTable, self: number): Set<number> {
  // Pids 0 and 1 belong to the system, whoever asks.
  const pids = new Set([0, 1])
  for (let pid = self; !pids.has(pid); pid = table.get(pid)?.ppid ?? 0) pids.add(pid)
  return pids
}
