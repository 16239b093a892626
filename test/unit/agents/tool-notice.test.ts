import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/base/json.ts'
import { toolOutput, toolStarted } from '../../../src/agents/tool-notice.ts'

describe('toolStarted', () => {
  it.each<[string, Json | undefined, string]>([
    ['Bash', { description: 'list', command: 'ls -la' }, 'ls -la'],
    ['Read', { file_path: '/a' }, '/a'],
    ['Write', { content: 'x', file_path: '/a' }, '/a'],
    ['Edit', { old_string: 'x', file_path: '/a' }, '/a'],
    ['NotebookEdit', { notebook_path: '/n.ipynb' }, '/n.ipynb'],
    ['Grep', { path: '/a', pattern: 'foo' }, 'foo'],
    ['Glob', { pattern: '*.ts' }, '*.ts'],
    ['Task', { prompt: 'long', description: 'look' }, 'look'],
    ['Agent', { prompt: 'long', description: 'look' }, 'look'],
    ['WebFetch', { prompt: 'x', url: 'https://example.org' }, 'https://example.org'],
    ['mcp__x__y', { n: 1, first: 'a', second: 'b' }, 'a'],
    ['Bash', { command: 7, description: 'list' }, 'list'],
    ['constructor', { a: 1 }, ''],
    ['Bash', null, ''],
    ['Bash', undefined, ''],
    ['Bash', ['x'], ''],
  ])('%s of %j works on %j', (name, input, target) => {
    expect(toolStarted('t', name, input)).toEqual([{ kind: 'agent.tool.started', id: 't', verb: name, target }])
  })

  it.each<[string, Json, string, string]>([
    ['run_shell_command', { description: 'x', command: 'ls' }, 'Bash', 'ls'],
    ['bash', { command: 'ls' }, 'Bash', 'ls'],
    ['Execute', { command: 'ls' }, 'Bash', 'ls'],
    ['write', { content: 'x', filePath: '/a' }, 'Write', '/a'],
    ['write_file', { content: 'x', file_path: '/a' }, 'Write', '/a'],
    ['read_file', { absolute_path: '/a' }, 'Read', '/a'],
    ['view', { path: '/a' }, 'Read', '/a'],
    ['replace', { old_string: 'x', file_path: '/a' }, 'Edit', '/a'],
    ['grep_search', { pattern: 'x' }, 'Grep', 'x'],
    ['glob', { globPattern: '*' }, 'Glob', '*'],
    ['google_web_search', { query: 'x' }, 'WebSearch', 'x'],
  ])('%s of another agent, with %j, is %s %s', (name, input, verb, target) => {
    expect(toolStarted('t', name, input)).toEqual([{ kind: 'agent.tool.started', id: 't', verb, target }])
  })

  it.each<[string, Json]>([
    [
      'TodoWrite',
      {
        todos: [
          { content: 'look', status: 'completed' },
          { content: 'write', status: 'in_progress' },
        ],
      },
    ],
    [
      'write_todos',
      {
        todos: [
          { description: 'look', status: 'completed' },
          { description: 'write', status: 'in_progress' },
        ],
      },
    ],
    [
      'todowrite',
      {
        todos: [
          { id: '1', content: 'look', status: 'completed' },
          { content: 'write', status: 'in_progress' },
        ],
      },
    ],
    [
      'updateTodos',
      {
        todos: [
          { text: 'look', status: 'completed' },
          { text: 'write', status: 'in_progress' },
        ],
      },
    ],
  ])('%s is a list of steps too', (name, input) => {
    expect(toolStarted('t', name, input)[1]).toEqual({
      kind: 'agent.todo',
      items: [
        { text: 'look', state: 'completed' },
        { text: 'write', state: 'in_progress' },
      ],
    })
  })

  it('cuts what nobody can read', () => {
    const [started] = toolStarted('t', 'N'.repeat(10_000), { command: 'c'.repeat(100_000) })
    expect(JSON.stringify(started).length).toBeLessThan(1500)
  })
})

describe('toolOutput', () => {
  it.each<[Json | undefined, string]>([
    ['text', 'text'],
    [
      [{ type: 'text', text: 'a' }, { type: 'image', source: {} }, { type: 'text', text: 'b' }, 'x', {}],
      'a\n[image]\nb\n[unknown]',
    ],
    [undefined, ''],
    [null, ''],
    [7, ''],
  ])('of %j is %j', (content, output) => {
    expect(toolOutput(content)).toBe(output)
  })
})
