import { err, ok, type Result } from './result.ts'
import { visibleLine } from './visible.ts'

export type Json = null | boolean | number | string | Json[] | JsonObject
export interface JsonObject {
  [key: string]: Json
}

/** Why a text is not JSON that we work with: one phrase, fit for "tasks.json: …". */
export type JsonProblem = string

/** Deeper values make later comparing and writing overflow the stack (measured at 50,000). */
export const maxJsonDepth = 64

/** What is no longer than this is parsed first: that is faster, and no bomb is so short. */
const maxShortLength = 32 * 1024

const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])
const suspicious = /__proto__|constructor|prototype|\\u/

/**
 * JSON from a file that somebody else may have written: depth-limited, without keys that reach into prototypes (but for
 * `anyKey`, where the keys are not ours to choose and nothing is merged), BOM allowed.
 */
export function parseJson(text: string, options: { readonly anyKey?: boolean } = {}): Result<Json, JsonProblem> {
  const body = text.codePointAt(0) === 0xfe_ff ? text.slice(1) : text
  const tooDeep = err(`nested deeper than ${maxJsonDepth} levels`)
  const isShort = body.length <= maxShortLength
  if (!isShort && depthExceeds(body, maxJsonDepth)) return tooDeep
  let value: Json
  try {
    value = JSON.parse(body) as Json
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    // The message quotes the text.
    return err(`not valid JSON (${visibleLine(error.message)})`)
  }
  if (isShort && isDeeper(value, maxJsonDepth)) return tooDeep
  // Most texts do not even have the letters, also not written as `\u…`.
  const key = options.anyKey !== true && suspicious.test(body) ? findForbiddenKey(value) : null
  return key === null ? ok(value) : err(`has a key named ${JSON.stringify(key)}, which is not allowed`)
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Same value, whatever the order of keys. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => sameJson(item, b[index]))
  }
  if (!isObject(a) || !isObject(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
}

/**
 * The first key that stands twice in one object of a text that is JSON. Parsers take the last one without a word, while
 * whoever reads the text may take the first.
 */
export function findRepeatedKey(text: string): { key: string; line: number } | null {
  const keysOf: Set<string>[] = []
  const next = /["[\]{}]/g
  const colon = /\s*:/y
  while (next.test(text)) {
    const start = next.lastIndex - 1
    const found = text[start]
    if (found === '{' || found === '[') keysOf.push(new Set())
    else if (found !== '"') keysOf.pop()
    else {
      next.lastIndex = colon.lastIndex = endOfString(text, start) + 1
      // Only a key has a colon behind it.
      if (text[next.lastIndex] === ',' || !colon.test(text)) continue
      const raw = text.slice(start, next.lastIndex)
      const key = raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1)
      const keys = keysOf.at(-1)
      if (keys?.has(key) === true) return { key, line: text.slice(0, start).split('\n').length }
      keys?.add(key)
    }
  }
  return null
}

/** Where the string that begins here has its last quote. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text[end - 1 - slashes] === '\\') slashes++
    if (slashes % 2 === 0) return end
  }
  return text.length
}

/** A scan over the text before it is parsed, so that a bomb costs nothing; from one bracket or text to the next. */
function depthExceeds(text: string, limit: number): boolean {
  const next = /["[\]{}]/g
  let depth = 0
  while (next.test(text)) {
    const found = text[next.lastIndex - 1]
    if (found === '"') next.lastIndex = endOfString(text, next.lastIndex - 1) + 1
    else if (found === ']' || found === '}') depth--
    else if (++depth > limit) return true
  }
  return false
}

/** Looks no deeper than it must. */
function isDeeper(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1))
}

function findForbiddenKey(value: Json): string | null {
  if (typeof value !== 'object' || value === null) return null
  // Of a list the keys are numbers.
  for (const [key, item] of Object.entries(value)) {
    const found = forbiddenKeys.has(key) ? key : findForbiddenKey(item)
    if (found !== null) return found
  }
  return null
}
