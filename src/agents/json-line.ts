import { isObject, type JsonObject } from '../base/json.ts'

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d

const longestPeeked = 64

/**
 * The string at a path of keys in a line of JSON, read from the bytes: most lines are known by their type and never parsed.
 * Null where it is not there, not a plain short string, or the line is no object. Stops where it has found it.
 */
export function peekString(line: Buffer, ...path: readonly string[]): string | null {
  let at = skipSpace(line, 0)
  for (const key of path) {
    at = findValue(line, at, key)
    if (at === -1) return null
  }
  if (line[at] !== quote) return null
  const end = skipString(line, at)
  if (end === -1 || end - at > longestPeeked) return null
  const text = line.toString('latin1', at + 1, end - 1)
  return text.includes('\\') ? null : text
}

/** A line that is one JSON object; null if it is not. Strings longer than `maxStringBytes` come with their middle left out. */
export function parseLine(line: Buffer, maxStringBytes = Infinity): JsonObject | null {
  return parsed(line.length > maxStringBytes ? shortened(line, 0, maxStringBytes) : line)
}

/** The object at a key of a line, shortened likewise. What stands behind it is not looked at, and may be missing. */
export function parseMember(line: Buffer, key: string, maxStringBytes: number): JsonObject | null {
  const start = findValue(line, skipSpace(line, 0), key)
  return start === -1 ? null : parsed(shortened(line, start, maxStringBytes))
}

function parsed(text: Buffer): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text.toString())
    return isObject(value) ? value : null
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return null
  }
}

/** Where the value of a key begins in the object that begins here; -1 if there is none. */
function findValue(line: Buffer, start: number, key: string): number {
  if (line[start] !== openBrace) return -1
  let at = skipSpace(line, start + 1)
  while (line[at] === quote) {
    const end = skipString(line, at)
    if (end === -1) return -1
    const isWanted = end - at - 2 === key.length && line.toString('latin1', at + 1, end - 1) === key
    at = skipSpace(line, end)
    if (line[at] !== colon) return -1
    at = skipSpace(line, at + 1)
    if (isWanted) return at
    at = skipSpace(line, skipValue(line, at))
    if (line[at] !== comma) return -1
    at = skipSpace(line, at + 1)
  }
  return -1
}

function skipSpace(line: Buffer, start: number): number {
  let at = start
  while (line[at] === 0x20 || line[at] === 0x09 || line[at] === 0x0d) at++
  return at
}

/** Behind the string that begins here; -1 if it does not end. */
function skipString(line: Buffer, start: number): number {
  for (let at = start + 1; at < line.length; at++) {
    const byte = line[at]
    if (byte === quote) return at + 1
    if (byte === backslash) at++
  }
  return -1
}

/** Behind the value that begins here. */
function skipValue(line: Buffer, start: number): number {
  let depth = 0
  let at = start
  while (at < line.length) {
    const byte = line[at]
    if (byte === quote) {
      at = skipString(line, at)
      if (at === -1) return line.length
      if (depth === 0) return at
      continue
    }
    if (byte === openBrace || byte === openBracket) depth++
    else if (byte === closeBrace || byte === closeBracket) {
      if (depth === 0) return at
      if (--depth === 0) return at + 1
    } else if (byte === comma && depth === 0) return at
    at++
  }
  return at
}

const leftOut = Buffer.from('\\n…\\n')

/**
 * The value that begins here, with the middle of every long string left out: what is parsed is then small, however much a
 * tool has printed.
 */
function shortened(line: Buffer, start: number, maxStringBytes: number): Buffer {
  const pieces: Buffer[] = []
  const half = Math.floor(maxStringBytes / 2)
  let from = start
  let at = start
  for (let depth = 0; at < line.length; at++) {
    const byte = line[at]
    if (byte === quote) {
      const end = skipString(line, at)
      if (end === -1) return line.subarray(start)
      if (end - at > maxStringBytes) {
        pieces.push(line.subarray(from, boundary(line, at + half, end)), leftOut)
        from = boundary(line, end - half, end)
      }
      at = end - 1
    } else if (byte === openBrace || byte === openBracket) depth++
    else if ((byte === closeBrace || byte === closeBracket) && --depth <= 0) break
  }
  pieces.push(line.subarray(from, at + 1))
  return Buffer.concat(pieces)
}

/** The next place in a string where it can be cut: not inside a character and not inside an escape. */
function boundary(line: Buffer, start: number, end: number): number {
  let at = start
  while (at < end - 1 && (((line[at] ?? 0) & 0xc0) === 0x80 || isInsideEscape(line, at))) at++
  return at
}

function isInsideEscape(line: Buffer, at: number): boolean {
  for (let start = at - 1; start > at - longestEscape; start--) {
    if (line[start] !== backslash) continue
    let before = start
    while (line[before - 1] === backslash) before--
    const isEscaped = (start - before) % 2 === 1
    const length = line[start + 1] === 0x75 ? longestEscape : 2
    if (!isEscaped && at < start + length) return true
  }
  return false
}

/** `\u1234` */
const longestEscape = 6
