import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findAgent } from '../src/agents/registry.ts'
import { LineSplitter } from '../src/process/line-splitter.ts'
import { someRequest } from '../test/support/play-stream.ts'
import { agentStream } from './agent-stream.ts'
import { interleave, Measured, type Row } from './measure.ts'

const names = ['claude', 'codex'] as const
const times = 25
const chunkBytes = 64 * 1024
const leastSpeed = 200
const mostGrowthMb = 40

/** The streams of agents: how fast they are read, beside `wc -l` and a bare JSON.parse, and how much memory that takes. */
export async function agents(): Promise<readonly Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'ralph-bench-'))
  try {
    const rows: Row[] = []
    for (const name of names) rows.push(...(await speed(name, directory)))
    for (const name of names) rows.push(memory(name, directory))
    return rows
  } finally {
    rmSync(directory, { recursive: true })
  }
}

async function speed(name: (typeof names)[number], directory: string): Promise<Row[]> {
  const block = agentStream(name)
  const file = join(directory, name)
  for (let count = 0; count < times; count++) writeFileSync(file, block, { flag: 'a' })
  const ms = await interleave(5, {
    read: () => busy(() => read(name, block)),
    bare: () => busy(() => parseAll(block)),
    wc: () => execFileSync('wc', ['-l', file]),
  })
  const rate = (value: number): number => (block.length * times) / 1e3 / value
  const row = (floor: string, floorMs: number, isGoal: boolean): Row => ({
    name: `${name}'s stream read, beside ${floor}`,
    measured: `${rate(ms.read).toFixed(0)} MB/s`,
    floor: `${rate(floorMs).toFixed(0)} MB/s`,
    ratio: floorMs / ms.read,
    goal: isGoal ? `≥ ${leastSpeed} MB/s` : '-',
    ok: !isGoal || rate(ms.read) >= leastSpeed,
  })
  return [row('JSON.parse', ms.bare, true), row('wc -l', ms.wc, false)]
}

/** What one core had to do for it, whatever else the machine did meanwhile. */
function busy(work: () => void): Measured {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return new Measured((user + system) / 1000)
}

/** As the runner does it: split as it comes, then to the agent's file. */
function read(name: string, block: Buffer): void {
  const agent = findAgent({ name, command: null, format: 'text' })
  if (!agent.ok) throw new Error(`no agent ${name}`)
  const reader = agent.value.read(someRequest)
  const splitter = new LineSplitter()
  let notices = 0
  for (let count = 0; count < times; count++) {
    for (let at = 0; at < block.length; at += chunkBytes) {
      for (const line of splitter.push(block.subarray(at, at + chunkBytes))) notices += reader.line(line.bytes).length
    }
  }
  if (notices === 0) throw new Error('nothing was read')
}

function parseAll(block: Buffer): void {
  for (let count = 0; count < times; count++) {
    let from = 0
    for (let end = block.indexOf(10); end !== -1; end = block.indexOf(10, from)) {
      JSON.parse(block.toString('utf8', from, end))
      from = end + 1
    }
  }
}

function memory(name: (typeof names)[number], directory: string): Row {
  const file = join(directory, 'block')
  const block = agentStream(name)
  const megabyte = block.subarray(0, block.lastIndexOf(10, 1e6) + 1)
  writeFileSync(file, megabyte)
  const program = join(import.meta.dirname, 'read-stream.ts')
  const residentMb = (count: number): number =>
    Number(
      execFileSync(process.execPath, ['--import', 'tsx', program, name, file, String(count)], { encoding: 'utf8' }),
    )
  const [small, large] = [residentMb(1), residentMb(Math.ceil(5e8 / megabyte.length))]
  return {
    name: `${name}: memory with 500 MB of output, beside 1 MB`,
    measured: `${large.toFixed(0)} MB`,
    floor: `${small.toFixed(0)} MB`,
    ratio: large / small,
    goal: `≤ ${mostGrowthMb} MB more`,
    ok: large - small <= mostGrowthMb,
  }
}
