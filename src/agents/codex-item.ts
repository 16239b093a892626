import { isObject, type Json, type JsonObject } from '../base/json.ts'
import type { Notice, TodoItem } from '../model/notice.ts'
import { cutText } from './cut-text.ts'

const maxTargetChars = 1000
const maxItems = 200

/** What a codex item does, as a tool call of ours; null for an item that is none. */
export function codexTool(item: JsonObject): { readonly verb: string; readonly target: string } | null {
  switch (typeof item['type'] === 'string' ? item['type'] : '') {
    case 'command_execution':
      return { verb: 'Bash', target: cutText(withoutShell(textOf(item['command'])), maxTargetChars) }
    case 'file_change':
      return { verb: 'Edit', target: cutText(changedPaths(item['changes']), maxTargetChars) }
    case 'mcp_tool_call':
      return {
        verb: cutText(textOf(item['tool']) || 'MCP', 100),
        target: cutText(textOf(item['server']), maxTargetChars),
      }
    case 'web_search':
      return { verb: 'WebSearch', target: cutText(textOf(item['query']), maxTargetChars) }
    default:
      return null
  }
}

/** The end of a tool call; `id` is that of its item. */
export function codexToolEnded(id: string, item: JsonObject): Notice {
  const { status, exit_code: exitCode, aggregated_output: output } = item
  const ok = status !== 'failed' && status !== 'declined' && (typeof exitCode !== 'number' || exitCode === 0)
  return { kind: 'agent.tool.ended', id, ok, output: cutText(textOf(output)) }
}

/** A list of steps. Codex only says which are done; the first that is not is the one it is at. */
export function codexTodo(items: Json | undefined): TodoItem[] {
  const steps = Array.isArray(items) ? items.slice(0, maxItems).filter(isObject) : []
  const current = steps.findIndex((step) => step['completed'] !== true)
  return steps.map((step, index) => ({
    text: cutText(textOf(step['text']), maxTargetChars),
    state: step['completed'] === true ? 'completed' : index === current ? 'in_progress' : 'pending',
  }))
}

/** Every command is run by a shell; what people want to see is the command. */
function withoutShell(command: string): string {
  const match = /^(?:\/(?:usr\/)?bin\/)?(?:ba|z)?sh -l?c '/.exec(command)
  if (match === null || !command.endsWith("'")) return command
  return command.slice(match[0].length, -1).replaceAll(String.raw`'\''`, "'")
}

function changedPaths(changes: Json | undefined): string {
  const items = Array.isArray(changes) ? changes.slice(0, maxItems).filter(isObject) : []
  return items.map(({ path }) => textOf(path)).join(' ')
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
