import { isObject } from '../base/json.ts'
import type { Settings } from './settings-schema.ts'

/** The local file over the shared one: objects key by key, everything else, lists too, replaced. */
export const mergeSettings = (base: Settings, over: Settings): Settings => merge(base, over) as Settings

function merge(base: unknown, over: unknown): unknown {
  if (!isObject(base) || !isObject(over)) return over
  const merged: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(over)) {
    merged[key] = Object.hasOwn(base, key) ? merge(base[key], value) : value
  }
  return merged
}
