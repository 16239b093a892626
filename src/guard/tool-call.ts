import { isObject, type Json, type JsonObject } from '../base/json.ts'

/** What a tool of Claude Code is about to do, as far as it concerns the guard. */
export type ToolCall =
  | { readonly kind: 'write'; readonly path: string }
  | { readonly kind: 'read'; readonly path: string }
  | { readonly kind: 'shell'; readonly command: string }
  /** A tool that touches no file and runs nothing. */
  | { readonly kind: 'other' }
  /** A tool that does, and nobody can tell what; `what` is one phrase. */
  | { readonly kind: 'unreadable'; readonly what: string }

const shells = new Set(['Bash', 'Monitor', 'PowerShell'])
const writers = new Map([
  ['Write', 'file_path'],
  ['Edit', 'file_path'],
  ['MultiEdit', 'file_path'],
  ['NotebookEdit', 'notebook_path'],
])
/** What shows what is in a file; a search without a path is one of the project. */
const readers = new Map([
  ['Read', 'file_path'],
  ['NotebookRead', 'notebook_path'],
  ['Grep', 'path'],
])

/** From what a PreToolUse hook is given on stdin. */
export function readToolCall(input: JsonObject): ToolCall {
  const tool = input['tool_name']
  if (typeof tool !== 'string') return { kind: 'unreadable', what: 'it names no tool' }
  const given: Json | undefined = input['tool_input']
  const read = readers.get(tool)
  if (read !== undefined) {
    const path = isObject(given) ? given[read] : undefined
    return typeof path === 'string' && path !== '' ? { kind: 'read', path } : { kind: 'other' }
  }
  const field = writers.get(tool) ?? (shells.has(tool) ? 'command' : null)
  if (field === null) return { kind: 'other' }
  const text = isObject(given) ? given[field] : undefined
  if (typeof text !== 'string' || text === '') return { kind: 'unreadable', what: `its ${field} is no text` }
  if (text.includes('\0')) return { kind: 'unreadable', what: `its ${field} has a NUL character` }
  return shells.has(tool) ? { kind: 'shell', command: text } : { kind: 'write', path: text }
}
