import { readdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { carriersOf, readProcEntry, readProcTable } from './linux-processes.ts'
import type { ProcessEntry, ProcessIdentity, ProcessTable } from './process-table.ts'
import { parsePs, psArguments, psCarriersOf, type PsEntry } from './ps-processes.ts'
import { runProgram } from './run-program.ts'

/** What the end of a tree asks the system. */
export interface SystemProcesses {
  table(): Promise<ProcessTable>
  /** Pids of this table that were started with `name=value` in their environment, none older than `since`. */
  carriers(table: ProcessTable, assignment: string, since: number): Promise<number[]>
  isAlive(identity: ProcessIdentity): Promise<boolean>
  /** Null if it is gone already. Under Linux it is read before this returns, so a child just started is always found. */
  identify(pid: number): Promise<ProcessIdentity | null>
}

/** How long a process may be on its way from one program to the next, on a machine that has no time for it. */
const maxExecMs = 250

const linux: SystemProcesses = {
  table: () => Promise.resolve(readProcTable()),
  carriers: async (table, assignment, since) => {
    const found: number[] = []
    const until = performance.now() + maxExecMs
    let left: readonly ProcessEntry[] = [...table.values()].filter(
      ({ startTime, ended }) => startTime >= since && !ended,
    )
    for (;;) {
      const { carriers, unknown } = carriersOf(assignment, left)
      found.push(...carriers)
      if (unknown.length === 0 || performance.now() >= until) return found
      left = unknown
      await delay(1)
    }
  },
  isAlive: (identity) => {
    const entry = readProcEntry(identity.pid)
    return Promise.resolve(entry?.startTime === identity.startTime && !entry.ended)
  },
  identify: (pid) => Promise.resolve(readProcEntry(pid)),
}

/** See ps-processes.ts: untested. */
const withPs: SystemProcesses = {
  table: readPsTable,
  carriers: (table, assignment) => Promise.resolve(psCarriersOf(assignment, table.values() as Iterable<PsEntry>)),
  isAlive: async (identity) => {
    const entry = (await readPsTable()).get(identity.pid)
    return entry?.startTime === identity.startTime && !entry.ended
  },
  identify: async (pid) => (await readPsTable()).get(pid) ?? null,
}

async function readPsTable(): Promise<ProcessTable> {
  const outcome = await runProgram({ program: '/bin/ps', args: psArguments, cwd: '/', env: { LC_ALL: 'C' } })
  const entries: ProcessEntry[] = outcome.ok ? parsePs(outcome.value.stdout.toString()) : []
  return new Map(entries.map((entry) => [entry.pid, entry]))
}

function hasProc(): boolean {
  try {
    return readdirSync('/proc/self').includes('environ')
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}

let chosen: SystemProcesses | undefined

export function systemProcesses(): SystemProcesses {
  chosen ??= hasProc() ? linux : withPs
  return chosen
}
