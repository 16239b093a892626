import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { readJournal } from '../../src/journal/read-journal.ts'
import { reduce, type RunState } from '../../src/model/run-state.ts'
import { bundleProgram } from './bundle-program.ts'
import { eventAt } from './events.ts'
import type { seededRandom } from './seed.ts'

/** The state after so many records of a `journal-writer`. */
export function stateAfter(seq: number): RunState | null {
  let state: RunState | null = null
  for (let n = 1; n <= seq; n++) {
    state = reduce(state, { ...eventAt(n), seq: n, at: new Date(0).toISOString() })
  }
  return state
}

/** The last number that a `journal-writer` has printed. */
export function lastAcknowledged(stdout: string): number {
  const complete = stdout.slice(0, stdout.lastIndexOf('\n') + 1)
  return Number(complete.split('\n').findLast((line) => /^\d+$/.test(line)) ?? 0)
}

/** Kills a writer with SIGKILL after a random number of records, again and again; nothing acknowledged may be missing. */
export async function killWriters(
  directory: string,
  kills: number,
  random: ReturnType<typeof seededRandom>,
): Promise<{ records: number }> {
  const program = bundleProgram('journal-writer', directory)
  const path = join(directory, 'journal.ndjson')
  let records = 0
  for (let kill = 0; kill < kills; kill++) {
    const child = spawn(process.execPath, [program, path, '1000000'], { stdio: ['ignore', 'pipe', 'inherit'] })
    const until = records + random.next(40)
    let stdout = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk
      if (lastAcknowledged(stdout) > until) child.kill('SIGKILL')
    })
    await once(child, 'close')
    const acknowledged = lastAcknowledged(stdout)
    const read = readJournal(path)
    if (!read.ok) throw new Error(`kill ${kill}: ${JSON.stringify(read.error)}`)
    expect(read.value.seq, `kill ${kill}`).toBeGreaterThanOrEqual(acknowledged)
    // At most the one that was being written when it died.
    expect(read.value.seq - acknowledged, `kill ${kill}`).toBeLessThanOrEqual(1)
    expect(read.value.state).toEqual(stateAfter(read.value.seq))
    expect(readFileSync(path).length).toBe(read.value.goodBytes + read.value.tornBytes)
    records = read.value.seq
  }
  return { records }
}
