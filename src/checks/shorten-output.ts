import type { Ends } from './output-ends.ts'

/** How much of each end must be kept so that `shortenOutput` has enough: a character takes up to four bytes. */
export const endBytesFor = (maxChars: number): number => Math.max(64 * 1024, 4 * maxChars)

/**
 * An output as text of at most so many characters, and a line that says how much is missing: its beginning, and more of its
 * end, where most tools sum up.
 */
export function shortenOutput(ends: Ends, maxChars: number): string {
  const { head, tail, totalBytes } = ends
  if (head.length + tail.length >= totalBytes) {
    const whole = plain(Buffer.concat([head, tail]).toString('utf8'))
    if (whole.length <= maxChars) return whole
  }
  const first = Math.floor(maxChars / 3)
  const last = maxChars - first
  const beginning = plain(startOf(head))
    .slice(0, first)
    .replace(/[\ud800-\udbff]$/, '')
  const end = lastChars(plain(endOf(head, tail)), last).replace(/^[\udc00-\udfff]/, '')
  // What is not text counts more bytes when it is shown than it had.
  const leftOut = Math.max(0, totalBytes - Buffer.byteLength(beginning) - Buffer.byteLength(end))
  return `${beginning}\n[… ${leftOut} bytes left out …]\n${end}`
}

/** Without colours, which would only cost room, and without the last line feed. Everything else stays for whoever shows it. */
function plain(text: string): string {
  // oxlint-disable-next-line no-control-regex -- ESC is what colours begin with
  return text.replaceAll(/\u{1b}\[[0-9;:]*m/gu, '').replace(/\n$/, '')
}

/** Bytes that were cut inside a character end with a broken one. */
const startOf = (head: Buffer): string => head.toString('utf8').replace(/\ufffd{1,3}$/, '')

/** The end may still be in the first piece: an output shorter than both. */
function endOf(head: Buffer, tail: Buffer): string {
  const bytes = tail.length < head.length ? Buffer.concat([head, tail]) : tail
  let from = 0
  while (from < 3 && ((bytes[from] ?? 0) & 0xc0) === 0x80) from++
  return bytes.subarray(from).toString('utf8')
}

const lastChars = (text: string, count: number): string => (count === 0 ? '' : text.slice(-count))
