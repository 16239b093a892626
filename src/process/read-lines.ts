import type { Readable } from 'node:stream'
import type { ChildLimits } from './child-limits.ts'
import { LineSplitter, type Line } from './line-splitter.ts'
import type { OutputLog } from './output-log.ts'
import type { Redactor } from './redactor.ts'

/** What a consumer of lines may say about the child. */
export interface ChildControl {
  /** True while the child may be silent for long, because a tool call of it is open. */
  expectSilence(expected: boolean): void
}

/** A promise that it returns is awaited before the next line, and the child blocks when its pipe is full. */
export type LineConsumer = (line: Line, control: ChildControl) => void | Promise<void>

export interface LineReading {
  readonly stream: Readable
  readonly log: OutputLog
  readonly redactor: Redactor
  readonly limits: ChildLimits
  readonly onLine: LineConsumer
  readonly maxLineBytes: number | undefined
  /** `over`: the child is, and what still comes was on its way. `abandoned`: nobody wants more lines. */
  phase(): 'running' | 'over' | 'abandoned'
}

/** More than any pipe or socket holds: past it somebody else, who inherited the stream, is still writing. */
const maxBytesAfterExit = 8 * 1024 * 1024

/** Reads to the end of the stream, or until it is destroyed. Rejects only with what the consumer threw. */
export async function readLines(reading: LineReading): Promise<void> {
  const { limits } = reading
  const splitter = new LineSplitter(reading.maxLineBytes)
  const control: ChildControl = { expectSilence: (expected) => limits.expectSilence(expected) }
  let bytesAfterExit = 0
  /** False once nobody wants more lines. */
  const take = async (bytes: Buffer): Promise<boolean> => {
    reading.log.write(bytes)
    for (const line of splitter.push(bytes)) {
      if (reading.phase() === 'abandoned') return false
      const consumed = reading.onLine(line, control)
      if (consumed !== undefined) await whileBusy(consumed, limits)
    }
    return true
  }
  const chunks = reading.stream[Symbol.asyncIterator]() as AsyncIterator<Buffer, void>
  for (;;) {
    const chunk = await nextChunk(chunks)
    if (chunk === null) break
    limits.heard()
    if (!(await take(reading.redactor.push(chunk)))) return
    if (reading.phase() === 'over') bytesAfterExit += chunk.length
    if (bytesAfterExit > maxBytesAfterExit) break
  }
  reading.stream.destroy()
  if (!(await take(reading.redactor.end()))) return
  const last = splitter.end()
  if (last !== null && reading.phase() !== 'abandoned') await whileBusy(reading.onLine(last, control), limits)
}

async function whileBusy(consumed: void | Promise<void>, limits: ChildLimits): Promise<void> {
  limits.consumerBusy(true)
  try {
    await consumed
  } finally {
    limits.consumerBusy(false)
  }
}

/** A stream that was destroyed or broke has ended, for us. */
async function nextChunk(chunks: AsyncIterator<Buffer, void>): Promise<Buffer | null> {
  try {
    const { done, value } = await chunks.next()
    return done === true ? null : value
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}
