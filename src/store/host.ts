import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { errnoOf } from './attempt.ts'

/** What a lock needs to know of the machine to tell a living owner from a dead one. */
export interface Host {
  readonly name: string
  /** Changes with every start of the machine; null where it cannot be had. */
  readonly bootId: string | null
  /** Process ids mean nothing in another one (containers, `unshare`); null where there are none. */
  readonly pidNamespace: string | null
  readonly pid: number
  /** A pid is given to a new process sooner or later; together with its start time it is unique. */
  processOf(pid: number): 'gone' | { readonly startTime: string | null }
}

/** A short command's output, or null if it failed: how systems without /proc answer. */
export type Ask = (program: string, args: readonly string[]) => string | null

/** This machine and this process. `ask` is used only where there is no /proc; without it a start time is unknown there. */
export function thisHost(ask: Ask = () => null): Host {
  const common = { name: hostname(), pid: process.pid }
  if (process.platform === 'linux') {
    return {
      ...common,
      bootId: readOrNull('/proc/sys/kernel/random/boot_id'),
      pidNamespace: linkOrNull('/proc/self/ns/pid'),
      processOf: linuxProcess,
    }
  }
  // macOS; never run there. Both print in the local language and zone, so `ask` must set LC_ALL=C and TZ=UTC.
  return {
    ...common,
    bootId: ask('sysctl', ['-n', 'kern.boottime'])?.trim() ?? null,
    pidNamespace: null,
    processOf: (pid) => {
      if (!isThere(pid)) return 'gone'
      return { startTime: ask('ps', ['-o', 'lstart=', '-p', String(pid)])?.trim() ?? null }
    },
  }
}

function linuxProcess(pid: number): 'gone' | { startTime: string | null } {
  if (!isThere(pid)) return 'gone'
  const stat = readOrNull(`/proc/${pid}/stat`)
  // Hidden from us (hidepid), or it ended just now.
  if (stat === null) return isThere(pid) ? { startTime: null } : 'gone'
  // The second field is the program's name in parentheses and can hold anything, so count from the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // A zombie answers to signals, and where PID 1 does not reap it stays for ever.
  if (fields[0] === 'Z' || fields[0] === 'X') return 'gone'
  return { startTime: fields[19] ?? null }
}

function isThere(pid: number): boolean {
  // No system gives larger ones, and Node throws instead of asking.
  if (pid > 2 ** 31 - 1) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errnoOf(error) !== 'ESRCH'
  }
}

function readOrNull(path: string): string | null {
  return orNull(() => readFileSync(path, 'utf8').trim())
}

function linkOrNull(path: string): string | null {
  return orNull(() => readlinkSync(path))
}

function orNull(action: () => string): string | null {
  try {
    return action()
  } catch (error) {
    errnoOf(error)
    return null
  }
}
