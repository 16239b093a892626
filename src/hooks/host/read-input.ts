import { readSync } from 'node:fs'
import { isObject, parseJson, type JsonObject } from '../../base/json.ts'
import { err, ok, type Result } from '../../base/result.ts'

/** More than any tool answers; a process without end must not fill the memory. */
const maxInputBytes = 128 * 1024 * 1024

/** The one object that Claude Code gives a hook on stdin; else why it is none. */
export function readInput(): Result<JsonObject, string> {
  const text = readStdin()
  if (!text.ok) return text
  // Keys inside of a tool's input are the model's, and nothing here is merged.
  const parsed = parseJson(text.value, { anyKey: true })
  if (!parsed.ok) return err(parsed.error)
  return isObject(parsed.value) ? ok(parsed.value) : err('not a JSON object')
}

function readStdin(): Result<string, string> {
  const chunks: Buffer[] = []
  let length = 0
  let chunk = Buffer.allocUnsafe(64 * 1024)
  for (;;) {
    const count = readSome(chunk)
    if (count === 0) return ok(Buffer.concat(chunks, length).toString('utf8'))
    chunks.push(chunk.subarray(0, count))
    length += count
    if (length > maxInputBytes) return err(`longer than ${maxInputBytes} bytes`)
    chunk = Buffer.allocUnsafe(1024 * 1024)
  }
}

/** Waits where whoever started us left the pipe non-blocking. */
function readSome(chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(0, chunk)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : null
      if (code === 'EOF') return 0
      if (code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}
