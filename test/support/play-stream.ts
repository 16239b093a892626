import { readFileSync } from 'node:fs'
import type { AgentExit, AgentReader, AgentReport, AgentRequest } from '../../src/agents/agent.ts'
import type { Notice } from '../../src/model/notice.ts'
import { LineSplitter } from '../../src/process/line-splitter.ts'

/** A stream as a real program printed it; test/fixtures/streams/README.md says where each is from. */
export function recorded(path: string): Buffer {
  return readFileSync(new URL(`../fixtures/streams/${path}.jsonl`, import.meta.url))
}

export const someRequest: AgentRequest = {
  prompt: 'Do it.',
  mode: 'implement',
  model: null,
  sessionId: '8f14e45f-ceea-467f-a1d6-91f7b1a2c3d4',
  extraArgs: [],
  boxed: false,
  writableDirs: [],
  maxCostUsd: null,
  pluginDir: null,
  settingsFile: null,
  instructionsFile: null,
}

/** 2026-11-16 05:57 UTC: about when the streams were recorded. */
const recordedAt = Date.UTC(2026, 10, 16, 5, 57)

export const exited = (exitCode: number, stderrTail = ''): AgentExit => ({
  cause: 'exited',
  exitCode,
  signal: null,
  stderrTail,
  endedAt: recordedAt,
})

export interface Played {
  readonly notices: readonly Notice[]
  readonly report: AgentReport
}

/** What a reader makes of a stream that comes in these chunks. */
export function play(reader: AgentReader, chunks: Iterable<Buffer>, exit: AgentExit = exited(0)): Played {
  const splitter = new LineSplitter()
  const notices: Notice[] = []
  for (const chunk of chunks) for (const { bytes } of splitter.push(chunk)) notices.push(...reader.line(bytes))
  const last = splitter.end()
  if (last !== null) notices.push(...reader.line(last.bytes))
  return { notices, report: reader.end(exit) }
}

export const byteByByte = (stream: Buffer): Buffer[] => Array.from(stream, (byte) => Buffer.from([byte]))

/** One JSON value a line. */
export const ndjson = (...values: readonly unknown[]): Buffer =>
  Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''))
