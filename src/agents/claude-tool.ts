import { isObject, type Json, type JsonObject } from '../base/json.ts'
import type { Notice, TodoItem } from '../model/notice.ts'
import { cutText } from './cut-text.ts'

/** Which of a tool's inputs says best what it works on. Any other tool: its first text. */
const targets = new Map([
  ['Bash', 'command'],
  ['Read', 'file_path'],
  ['Write', 'file_path'],
  ['Edit', 'file_path'],
  ['MultiEdit', 'file_path'],
  ['NotebookEdit', 'notebook_path'],
  ['Grep', 'pattern'],
  ['Glob', 'pattern'],
  ['Task', 'description'],
  ['Agent', 'description'],
  ['WebFetch', 'url'],
  ['WebSearch', 'query'],
  ['Skill', 'skill'],
])

const maxTargetChars = 1000
const maxNameChars = 100
const maxTodos = 200

/** The begin of a call in Claude's words. */
export function claudeToolStarted(id: string, name: string, input: Json | undefined): Notice[] {
  const started: Notice = {
    kind: 'agent.tool.started',
    id,
    verb: cutText(name, maxNameChars),
    target: cutText(targetOf(name, isObject(input) ? input : {}), maxTargetChars),
  }
  const todos = name === 'TodoWrite' && isObject(input) ? input['todos'] : undefined
  return Array.isArray(todos) ? [started, { kind: 'agent.todo', items: todoItems(todos) }] : [started]
}

function targetOf(name: string, input: JsonObject): string {
  const key = targets.get(name)
  const named = key === undefined ? undefined : input[key]
  if (typeof named === 'string') return named
  return Object.values(input).find((value) => typeof value === 'string') ?? ''
}

function todoItems(todos: readonly Json[]): TodoItem[] {
  return todos
    .slice(0, maxTodos)
    .filter(isObject)
    .map(({ content, status }) => ({
      text: typeof content === 'string' ? cutText(content, maxTargetChars) : '',
      state: status === 'completed' || status === 'in_progress' ? status : 'pending',
    }))
}

/** The text of a tool's result: a string, or blocks of which only text can be shown. */
export function claudeToolOutput(content: Json | undefined): string {
  if (typeof content === 'string') return cutText(content)
  if (!Array.isArray(content)) return ''
  return cutText(content.filter(isObject).map(textOf).join('\n'))
}

function textOf(block: JsonObject): string {
  const { type, text } = block
  return typeof text === 'string' ? text : `[${typeof type === 'string' ? type : 'unknown'}]`
}
