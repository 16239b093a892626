import { describe, expect, it } from 'vitest'
import { decide } from '../../../src/guard/decide.ts'
import { readToolCall } from '../../../src/guard/tool-call.ts'
import type { JsonObject } from '../../../src/base/json.ts'
import { guardedPlace, project } from '../../support/guarded-place.ts'

const ruleOf = (tool_name: unknown, tool_input: unknown, place = guardedPlace()): string => {
  const answer = decide(readToolCall({ tool_name, tool_input } as JsonObject), place)
  return answer.decision === 'deny' ? answer.rule : 'allowed'
}

const written = (path: string, place = guardedPlace()): string =>
  ruleOf('Write', { file_path: path, content: 'x' }, place)

describe('a tool that writes files', () => {
  it.each([
    ['marker', `${project}/.ralph-active`],
    ['people-only-file', `${project}/ralph/prd.md`],
    ['people-only-file', `${project}/ralph/prompt.md`],
    ['people-only-file', `${project}/.ralph/settings.local.json`],
    ['people-only-file', 'ralph/prd.md'],
    ['people-only-file', './src/../ralph//prd.md/'],
    ['people-only-file', `${project}/ralph/PRD.md`],
    ['people-only-file', `${project}/ralph/prd.md `],
    ['people-only-file', '~/project/ralph/prd.md'],
    ['steering-file', `${project}/.claude/settings.json`],
    ['steering-file', `${project}/.claude/settings.whatever.json`],
    ['steering-file', `${project}/.claude/ſkills/x/SKILL.md`],
    ['steering-file', `${project}/.claude/skills/x/SKILL.md`],
    ['steering-file', `${project}/.mcp.json`],
    ['steering-file', '/home/dev/.claude/settings.json'],
    ['plugin-file', '/opt/ralph/scripts/hooks/stop.cjs'],
    ['runner-state', '/state/ralph/x/journal.ndjson'],
    ['git-directory', `${project}/.git/hooks/pre-commit`],
    ['git-directory', `${project}/.git/config`],
    ['allowed', `${project}/ralph/tasks.json`],
    ['allowed', `${project}/ralph/progress.txt`],
    ['allowed', `${project}/.claude/rules/style.md`],
    ['allowed', `${project}/docs/prd.md`],
    ['allowed', `${project}/src/*.md`],
    ['allowed', '/tmp/$HOME/.claude/settings.json'],
    ['allowed', '/opt/ralphs/x'],
    ['allowed', `${project}/CLAUDE.md`],
  ])('%s: %s', (rule, path) => expect(written(path)).toBe(rule))

  it.each(['Write', 'Edit', 'MultiEdit'])('may be %s', (tool) => {
    expect(ruleOf(tool, { file_path: `${project}/ralph/prd.md` })).toBe('people-only-file')
  })

  it('names notebooks in another field', () => {
    expect(ruleOf('NotebookEdit', { notebook_path: '.mcp.json' })).toBe('steering-file')
    expect(ruleOf('NotebookEdit', { notebook_path: 'a.ipynb' })).toBe('allowed')
  })

  it('is followed through links', () => {
    const place = guardedPlace({}, { [`${project}/docs`]: `${project}/ralph`, '/p': project })
    expect(written('docs/prd.md', place)).toBe('people-only-file')
    expect(written('/p/.ralph-active', place)).toBe('marker')
    expect(written('/p/.git/hooks/x', place)).toBe('git-directory')
  })

  it('is denied where it does not say what it writes', () => {
    for (const input of [{}, null, 'text', [], { file_path: 3 }, { file_path: null }, { file_path: '' }]) {
      expect(ruleOf('Write', input)).toBe('unreadable-call')
    }
    expect(written('a\0b')).toBe('unreadable-call')
    expect(ruleOf('Bash', { command: ['rm', 'x'] })).toBe('unreadable-call')
    expect(ruleOf('NotebookEdit', { file_path: 'a.ipynb' })).toBe('unreadable-call')
    expect(ruleOf(undefined, {})).toBe('unreadable-call')
  })
})

describe('a tool that shows files', () => {
  it.each(['Read', 'Grep', 'NotebookRead'])('may not be %s of a key, and may be of all else', (tool) => {
    const read = (path: string): string => ruleOf(tool, { file_path: path, notebook_path: path, path })
    expect(read('/home/dev/.ssh/id_rsa')).toBe('credential-file')
    expect(read('~/.aws/credentials')).toBe('credential-file')
    expect(read(`${project}/ralph/prd.md`)).toBe('allowed')
    expect(read(`${project}/.ralph-active`)).toBe('allowed')
    expect(read('/etc/hosts')).toBe('allowed')
  })

  it('shows the project where it names nothing', () => {
    expect(ruleOf('Grep', { pattern: 'x' })).toBe('allowed')
  })
})

describe('another tool', () => {
  it('is none of its business', () => {
    expect(ruleOf('Read', { file_path: `${project}/ralph/prd.md` })).toBe('allowed')
    expect(ruleOf('Task', null)).toBe('allowed')
  })
})
