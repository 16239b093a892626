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

const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * JSON from a file that somebody else may have written: depth-limited, without keys that reach into prototypes (but for
 * `anyKey`, where the keys are not ours to choose and nothing is merged), BOM allowed.
 */
export function parseJson(text: string, options: { readonly anyKey?: boolean } = {}): Result<Json, JsonProblem> {
  const body = text.codePointAt(0) === 0xfe_ff ? text.slice(1) : text
  if (depthExceeds(body, maxJsonDepth)) return err(`nested deeper than ${maxJsonDepth} levels`)
  let value: Json
  try {
    value = JSON.parse(body) as Json
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    // The message quotes the text.
    return err(`not valid JSON (${visibleLine(error.message)})`)
  }
  const key = options.anyKey === true ? null : findForbiddenKey(value)
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
  const keysOf: (Set<string> | null)[] = []
  let isValue = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x22) {
      const start = index
      index = endOfString(text, start)
      const keys = keysOf.at(-1)
      if (isValue || keys == null) continue
      const raw = text.slice(start + 1, index)
      const key = raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw
      if (keys.has(key)) return { key, line: text.slice(0, start).split('\n').length }
      keys.add(key)
    } else if (code === 0x3a) isValue = true
    else if (code === 0x2c) isValue = false
    else if (code === 0x7b || code === 0x5b) {
      keysOf.push(code === 0x7b ? new Set() : null)
      isValue = false
    } else if (code === 0x7d || code === 0x5d) keysOf.pop()
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

/** A scan over the text before it is parsed, so that a bomb costs nothing. Most texts have too few brackets to need it. */
function depthExceeds(text: string, limit: number): boolean {
  if (count(text, '{', limit) + count(text, '[', limit) <= limit) return false
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x22) index = endOfString(text, index)
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > limit) return true
    } else if (code === 0x7d || code === 0x5d) depth--
  }
  return false
}

/** How often a character occurs; stops counting beyond the limit. */
function count(text: string, character: string, limit: number): number {
  let found = 0
  for (let at = text.indexOf(character); at !== -1 && found <= limit; at = text.indexOf(character, at + 1)) found++
  return found
}

function findForbiddenKey(value: Json): string | null {
  if (Array.isArray(value)) {
    for (const item of value) {
      const found = findForbiddenKey(item)
      if (found !== null) return found
    }
    return null
  }
  if (!isObject(value)) return null
  for (const key of Object.keys(value)) {
    if (forbiddenKeys.has(key)) return key
    const item = value[key]
    const found = typeof item === 'object' ? findForbiddenKey(item) : null
    if (found !== null) return found
  }
  return null
}
