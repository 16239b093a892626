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
