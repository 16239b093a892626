import { err, ok, type Result } from './result.ts'

export type Json = null | boolean | number | string | Json[] | JsonObject
export interface JsonObject {
  [key: string]: Json
}

/** Why a text is not JSON that we work with: one phrase, fit for "tasks.json: …". */
export type JsonProblem = string

/** Deeper values make later comparing and writing overflow the stack (measured at 50,000). */
export const maxJsonDepth = 64

const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])

/** JSON from a file that somebody else may have written: depth-limited, without keys that reach into prototypes, BOM allowed. */
export function parseJson(text: string): Result<Json, JsonProblem> {
  const body = text.codePointAt(0) === 0xfe_ff ? text.slice(1) : text
  if (depthExceeds(body, maxJsonDepth)) return err(`nested deeper than ${maxJsonDepth} levels`)
  let value: Json
  try {
    value = JSON.parse(body) as Json
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return err(`not valid JSON (${error.message})`)
  }
  const key = findForbiddenKey(value)
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

/** A scan over the text before it is parsed, so that a bomb costs nothing. Most texts have too few brackets to need it. */
function depthExceeds(text: string, limit: number): boolean {
  if (count(text, '{', limit) + count(text, '[', limit) <= limit) return false
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === 0x5c) index++
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
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
