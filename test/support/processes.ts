import { randomInt } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { formatRunId } from '../../src/base/ids.ts'
import type { Containment } from '../../src/process/containment.ts'
import { probeContainment } from '../../src/process/probe-containment.ts'

export const noNamespace: Containment = { level: 'tree', reason: 'chosen by the test' }

const path = process.env['PATH'] ?? ''
export const testEnv = { PATH: path }
export const probed: Containment = await probeContainment({ path, forbiddenRoot: null })
/** The same with the mask in front, which hides something that no test needs. */
export const masked: Containment = await probeContainment(
  { path, forbiddenRoot: null },
  { hidden: new URL('../fixtures/streams', import.meta.url).pathname, readOnly: [], writable: [], pinned: [] },
)
/** For titles of tests that are skipped without one. */
export const needsNamespace = `(needs a PID namespace; here: ${probed.reason})`
export const needsMask = `(needs bubblewrap; here: ${masked.level === 'namespace' ? masked.noMask : masked.reason})`

/** By the words on the command line of a fixture. */
export const containmentAt = (level: string | undefined): Containment =>
  level === 'mask' ? masked : level === 'namespace' ? probed : noNamespace

export const program = (name: string): string => new URL(`../fixtures/programs/${name}`, import.meta.url).pathname

export const newRunId = (): string =>
  formatRunId(
    Date.now(),
    Uint8Array.from({ length: 4 }, () => randomInt(256)),
  )

/** Digits that no other process has in its arguments. */
export const newMark = (): string => String(randomInt(1e8, 1e9))

/** Live processes, as the host sees them, that have this text in their arguments. */
export function processesWith(text: string): { pid: number; args: string }[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name)
    if (!Number.isInteger(pid) || pid === process.pid) return []
    try {
      const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      return args.includes(text) ? [{ pid, args }] : []
    } catch (error) {
      if (error instanceof Error && 'code' in error) return []
      throw error
    }
  })
}

/** The kinds of leftovers that are alive: the last word of what leaves-processes started. */
export const leftoverKinds = (mark: string): string[] =>
  processesWith(mark)
    .map(({ args }) => args.split(' ').at(-1) ?? '')
    .toSorted()

/** Ends what the test itself let live, by pid. */
export function killProcessesWith(text: string): void {
  for (const { pid } of processesWith(text)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
}
