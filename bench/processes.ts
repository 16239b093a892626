import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { findProgram } from '../src/process/find-program.ts'
import { LineSplitter } from '../src/process/line-splitter.ts'
import { probeContainment } from '../src/process/probe-containment.ts'
import { runChild } from '../src/process/run-child.ts'
import { runProgram } from '../src/process/run-program.ts'
import type { Containment } from '../src/process/containment.ts'
import { atMost, interleave, type Row } from './measure.ts'

const env = { PATH: process.env['PATH'] ?? '' }
const script = 'echo \'{"type":"system"}\'; echo \'{"type":"result"}\''
const streamMb = 200
const chunkBytes = 64 * 1024

/** Processes and lines beside the barest way of doing the same, in the same run. */
export async function processes(): Promise<Row[]> {
  return [...(await starting()), ...(await splitting())]
}

async function starting(): Promise<Row[]> {
  const places = { path: env.PATH, forbiddenRoot: null }
  const git = findProgram('git', places)
  const program = git.ok ? git.value : '/bin/true'
  const args = ['--version']
  const tree: Containment = { level: 'tree', reason: 'bench' }
  const probed = await probeContainment(places)
  const masked = await probeContainment(places, { hidden: tmpdir(), readOnly: [], writable: [], pinned: [] })
  const [wrapper = '', ...wrapperArgs] = probed.level === 'namespace' ? probed.wrapper : ['/bin/sh', '-c', '"$@"', 'sh']
  const ms = await interleave(60, {
    bareSpawn: () => bareSpawn('/bin/sh', ['-c', script]),
    runChild: () => childRun(tree),
    bareContained: () => bareSpawn(wrapper, [...wrapperArgs, '/bin/sh', '-c', script]),
    runContained: () => childRun(probed),
    runMasked: () => childRun(masked),
    execFile: () => bareExecFile(program, args),
    runProgram: () => runProgram({ program, args, cwd: '/', env }),
  })
  return [
    atMost('one child, tree searched for leftovers', ms.runChild, ms.bareSpawn, 3),
    atMost(`one child in a ${probed.level}, beside the same argv bare`, ms.runContained, ms.bareContained, 1.5),
    ...(masked.level === 'mask' ? [maskRow(ms.runMasked, ms.runContained)] : []),
    atMost('one short program, beside execFile', ms.runProgram, ms.execFile, 1.2),
  ]
}

/** The mask takes the place of the plain namespace. */
function maskRow(maskedMs: number, plainMs: number): Row {
  const ratio = maskedMs / plainMs
  return {
    name: 'one child in a mask, beside a namespace',
    measured: `${maskedMs.toFixed(1)} ms`,
    floor: `${plainMs.toFixed(1)} ms`,
    ratio,
    // On a machine that is busy all of it takes longer.
    goal: '≤ 10 ms more, or 1.5 ×',
    ok: maskedMs - plainMs <= 10 || ratio <= 1.5,
  }
}

async function bareSpawn(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { cwd: '/', env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  child.stdout.resume()
  child.stderr.resume()
  await once(child, 'close')
}

const bareExecFile = (program: string, args: readonly string[]): Promise<unknown> =>
  new Promise((resolve) => {
    execFile(program, args, { cwd: '/', env, encoding: 'buffer' }, resolve)
  })

const childRun = (containment: Containment): Promise<unknown> =>
  runChild({
    argv: ['/bin/sh', '-c', script],
    cwd: '/',
    env,
    runId: '20260101-000000-00000000',
    containment,
    onLine: () => undefined,
  })

async function splitting(): Promise<Row[]> {
  const chunks = streamChunks()
  const counts = { split: 0, parsed: 0, bare: 0 }
  const ms = await interleave(5, {
    split: () => (counts.split = splitAll(chunks, () => undefined)),
    parsed: () => (counts.parsed = splitAll(chunks, (bytes) => void JSON.parse(bytes.toString()))),
    bare: () => (counts.bare = bareLoop(chunks)),
  })
  if (counts.split !== counts.bare || counts.parsed !== counts.bare) throw new Error('the lines differ')
  const speed = (value: number): number => streamMb / (value / 1000)
  const splitSpeed = speed(ms.split)
  const parsedSpeed = speed(ms.parsed)
  return [
    {
      name: 'lines split, not parsed',
      measured: `${splitSpeed.toFixed(0)} MB/s`,
      floor: '200 MB/s',
      ratio: splitSpeed / 200,
      goal: '≥ 200 MB/s',
      ok: splitSpeed >= 200,
    },
    {
      name: 'lines split and parsed, beside indexOf + JSON.parse',
      measured: `${parsedSpeed.toFixed(0)} MB/s`,
      floor: `${speed(ms.bare).toFixed(0)} MB/s`,
      ratio: ms.bare / ms.parsed,
      goal: '≥ 1 ×',
      ok: ms.bare / ms.parsed >= 1,
    },
  ]
}

/** NDJSON as agents print it, lines of 100 bytes to 20 kB, cut where a pipe would. The same few MB again and again. */
function streamChunks(): Buffer[] {
  const lines: string[] = []
  for (let index = 0, size = 0; size < 8e6; index++) {
    const text = 'lorem ipsum dolor € '.repeat(1 + ((index * 37) % 1000))
    const line = JSON.stringify({
      type: index % 3 === 0 ? 'assistant' : 'user',
      index,
      message: { content: [{ text }] },
    })
    lines.push(line)
    size += line.length
  }
  const block = Buffer.from(`${lines.join('\n')}\n`)
  const chunks: Buffer[] = []
  for (let total = 0; total < streamMb * 1e6; total += block.length) {
    for (let at = 0; at < block.length; at += chunkBytes) chunks.push(block.subarray(at, at + chunkBytes))
  }
  return chunks
}

function splitAll(chunks: readonly Buffer[], use: (bytes: Buffer) => void): number {
  const splitter = new LineSplitter()
  let count = 0
  for (const chunk of chunks) {
    for (const line of splitter.push(chunk)) {
      use(line.bytes)
      count++
    }
  }
  return count
}

/** What one would write in five minutes. */
function bareLoop(chunks: readonly Buffer[]): number {
  let rest: Buffer = Buffer.alloc(0)
  let count = 0
  for (const chunk of chunks) {
    const data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let from = 0
    for (let end = data.indexOf(10); end !== -1; end = data.indexOf(10, from)) {
      JSON.parse(data.toString('utf8', from, end))
      count++
      from = end + 1
    }
    rest = data.subarray(from)
  }
  return count
}
