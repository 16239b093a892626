import { isObject, type Json, type JsonObject } from '../base/json.ts'
import { defaultAgent, defaults } from './defaults.ts'
import type { RunOptions } from './run-options.ts'

/** The options of a run as its journal has them. An older version may not have known all of them: those are the defaults. */
export function optionsFromJournal(json: JsonObject): RunOptions {
  const agents = objectOf(json['agents'])
  const agent = (mode: string) => filled(defaultAgent, objectOf(agents[mode]))
  const checks = Array.isArray(json['checks']) ? json['checks'] : []
  return {
    ...filled(defaults, json),
    agents: { implement: agent('implement'), review: agent('review'), reviewFix: agent('reviewFix') },
    checks: checks.map((check) => filled(emptyCheck, objectOf(check))),
    env: filled(defaults.env, objectOf(json['env'])),
  }
}

const emptyCheck = { command: '', failAction: null, hint: null, timeoutMs: null }

const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})

/** The fields of `shape`, with the values of `json` where it has them. What it has beyond is of another version. */
function filled<T extends object>(shape: T, json: JsonObject): T {
  return Object.fromEntries(
    Object.entries(shape).map(([key, value]) => [key, Object.hasOwn(json, key) ? json[key] : value]),
  ) as T
}
