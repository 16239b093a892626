import { isObject, type Json, type JsonObject } from '../base/json.ts'
import type { Notice, TodoItem } from '../model/notice.ts'
import { cutText } from './cut-text.ts'

/** What a tool is called here, and which of its inputs says best what it works on. Names of all agents, in lower case. */
const tools: ReadonlyMap<string, { readonly verb: string; readonly target: string }> = new Map([
  ...named('Bash', 'command', ['bash', 'shell', 'run_shell_command', 'execute', 'execute_command']),
  ...named('Read', 'file_path', ['read', 'read_file', 'view']),
  ...named('Write', 'file_path', ['write', 'write_file', 'create', 'create_file']),
  ...named('Edit', 'file_path', ['edit', 'edit_file', 'replace', 'str_replace', 'str_replace_editor', 'applypatch']),
  ...named('MultiEdit', 'file_path', ['multiedit']),
  ...named('NotebookEdit', 'notebook_path', ['notebookedit', 'notebook_edit']),
  ...named('Delete', 'file_path', ['delete', 'delete_file']),
  ...named('Grep', 'pattern', ['grep', 'grep_search', 'search_file_content']),
  ...named('Glob', 'pattern', ['glob', 'find']),
  ...named('LS', 'path', ['ls', 'list', 'list_directory']),
  ...named('Task', 'description', ['task']),
  ...named('Agent', 'description', ['agent']),
  ...named('WebFetch', 'url', ['webfetch', 'web_fetch', 'fetchurl']),
  ...named('WebSearch', 'query', ['websearch', 'web_search', 'google_web_search']),
  ...named('Skill', 'skill', ['skill']),
  ...named('Todo', '', ['todowrite', 'todo_write', 'write_todos', 'update_todos', 'updatetodos']),
])

function named(verb: string, target: string, names: readonly string[]): [string, { verb: string; target: string }][] {
  return names.map((name) => [name, { verb, target }])
}

/** The same input, as different agents spell it. */
const spellings: Readonly<Record<string, readonly string[]>> = {
  file_path: ['file_path', 'filePath', 'absolute_path', 'path', 'file'],
  pattern: ['pattern', 'globPattern', 'query'],
  path: ['path', 'dir_path', 'directory_path'],
}

const maxTargetChars = 1000
const maxNameChars = 100
const maxTodos = 200

/** The begin of a call; a list of steps comes as one. */
export function toolStarted(id: string, name: string, input: Json | undefined): Notice[] {
  const tool = tools.get(name.toLowerCase())
  const values = isObject(input) ? input : {}
  const todos = tool?.verb === 'Todo' ? (values['todos'] ?? values['items']) : undefined
  // Claude's own name for it: what it works on is the list itself.
  const verb = tool === undefined || name === 'TodoWrite' ? name : tool.verb
  const started: Notice = {
    kind: 'agent.tool.started',
    id,
    verb: cutText(verb, maxNameChars),
    target: cutText(targetOf(tool?.target, values), maxTargetChars),
  }
  return Array.isArray(todos) ? [started, { kind: 'agent.todo', items: todoItems(todos) }] : [started]
}

function targetOf(wanted: string | undefined, input: JsonObject): string {
  const keys = wanted === undefined ? [] : (spellings[wanted] ?? [wanted])
  const key = keys.find((candidate) => typeof input[candidate] === 'string')
  const value = key === undefined ? undefined : input[key]
  if (typeof value === 'string') return value
  return Object.values(input).find((other) => typeof other === 'string') ?? ''
}

function todoItems(todos: readonly Json[]): TodoItem[] {
  return todos
    .slice(0, maxTodos)
    .filter(isObject)
    .map(({ content, description, text, status }) => ({
      text: cutText([content, description, text].find((value) => typeof value === 'string') ?? '', maxTargetChars),
      state: status === 'completed' || status === 'in_progress' ? status : 'pending',
    }))
}

/** The text of a tool's result: a string, or blocks of which only text can be shown. */
export function toolOutput(content: Json | undefined): string {
  if (typeof content === 'string') return cutText(content)
  if (!Array.isArray(content)) return ''
  return cutText(content.filter(isObject).map(textOf).join('\n'))
}

function textOf(block: JsonObject): string {
  const { type, text } = block
  return typeof text === 'string' ? text : `[${typeof type === 'string' ? type : 'unknown'}]`
}
