import { isObject, parseJson, type JsonObject } from '../../../src/base/json.ts'

/** One call of a hook, as Claude Code tells of it with --include-hook-events. */
export interface HookCall {
  readonly event: string
  /** With the tool or the source: `PreToolUse:Bash`. */
  readonly name: string
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number | null
  readonly outcome: string
}

/** What a session has printed as stream-json. */
export interface Stream {
  readonly init: JsonObject
  readonly hooks: readonly HookCall[]
  /** The last one. */
  readonly result: JsonObject
  readonly lines: readonly JsonObject[]
}

export function readStream(text: string): Stream {
  const lines = text.split('\n').flatMap((line) => {
    const json = parseJson(line, { anyKey: true })
    return json.ok && isObject(json.value) ? [json.value] : []
  })
  return {
    init: lines.find(({ subtype }) => subtype === 'init') ?? {},
    hooks: lines.filter(({ subtype }) => subtype === 'hook_response').map(hookCall),
    result: lines.findLast(({ type }) => type === 'result') ?? {},
    lines,
  }
}

function hookCall(line: JsonObject): HookCall {
  const text = (key: string): string => (typeof line[key] === 'string' ? line[key] : '')
  return {
    event: text('hook_event'),
    name: text('hook_name'),
    stdout: text('stdout'),
    stderr: text('stderr'),
    exitCode: typeof line['exit_code'] === 'number' ? line['exit_code'] : null,
    outcome: text('outcome'),
  }
}
