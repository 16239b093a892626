import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import type { ProcessEntry, ProcessTable } from './process-table.ts'

/** Read synchronously: a read of /proc never waits for a disk, and a table should be of one moment. */
export function readProcTable(): ProcessTable {
  const table = new Map<number, ProcessEntry>()
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid)) continue
    const entry = readProcEntry(pid)
    if (entry !== null) table.set(pid, entry)
  }
  return table
}

const statBuffer = Buffer.allocUnsafe(2048)

export function readProcEntry(pid: number): ProcessEntry | null {
  const stat = readStat(pid)
  return stat === null ? null : parseStat(stat)
}

function readStat(pid: number): string | null {
  return orGone(() => {
    const file = openSync(`/proc/${pid}/stat`, 'r')
    try {
      return statBuffer.toString('latin1', 0, readSync(file, statBuffer))
    } finally {
      closeSync(file)
    }
  })
}

/** proc(5). The name is in parentheses and may itself hold spaces and parentheses. */
export function parseStat(text: string): ProcessEntry | null {
  const close = text.lastIndexOf(')')
  if (close === -1) return null
  const fields = text.slice(close + 2).split(' ')
  const [state = '', ppid, groupId, sessionId] = fields
  const entry = {
    pid: Number.parseInt(text, 10),
    startTime: Number(fields[19]),
    ppid: Number(ppid),
    groupId: Number(groupId),
    sessionId: Number(sessionId),
    ended: state === 'Z' || state === 'X',
  }
  return Number.isNaN(entry.startTime) ? null : entry
}

/**
 * Those of the given processes whose environment has this entry. The environment is the one of their start, so removing
 * the variable does not hide a process; a daemon that overwrites its own memory (or starts with `env -i`) stays unseen.
 * `unknown`: they are in the middle of an exec, and have no environment yet.
 */
export function carriersOf(
  assignment: string,
  entries: Iterable<ProcessEntry>,
): { readonly carriers: readonly number[]; readonly unknown: readonly ProcessEntry[] } {
  const wanted = Buffer.from(assignment)
  const carriers: number[] = []
  const unknown: ProcessEntry[] = []
  for (const entry of entries) {
    const { pid } = entry
    // Processes of other users cannot be read: they are not ours either.
    const environ = orGone(() => readFileSync(`/proc/${pid}/environ`))
    if (environ === null) continue
    if (hasEntry(environ, wanted)) carriers.push(pid)
    else if (environ.length === 0 && wasInExec(readStat(pid) ?? '')) unknown.push(entry)
  }
  return { carriers, unknown }
}

/** PF_KTHREAD and PF_EXITING: threads of the kernel never have one, and who is dying needs none. */
const neverAgain = 0x00_20_00_04

/**
 * By proc(5), of a process whose environment was read as empty: whether it was in the middle of an exec. Then its memory has no
 * place for one yet, or has got one since. One that is empty for good has a place of no length.
 */
export function wasInExec(stat: string): boolean {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [begin, end] = [fields[47], fields[48]]
  const isProgram = parseStat(stat)?.ended === false && (Number(fields[6]) & neverAgain) === 0
  return isProgram && (end === '0' || begin !== end)
}

/** The entry as a whole: `X_RALPH_RUN_ID=1` and `RALPH_RUN_ID=12` are not `RALPH_RUN_ID=1`. */
export function hasEntry(environ: Buffer, wanted: Buffer): boolean {
  for (let at = environ.indexOf(wanted); at !== -1; at = environ.indexOf(wanted, at + 1)) {
    const end = at + wanted.length
    if ((at === 0 || environ[at - 1] === 0) && (end === environ.length || environ[end] === 0)) return true
  }
  return false
}

function orGone<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof Error && 'code' in error && unreadable.has(String(error.code))) return null
    throw error
  }
}

const unreadable = new Set(['ENOENT', 'ESRCH', 'EACCES', 'EPERM'])
