import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bash, ClaudeLab, claudeProgram } from './lab.ts'
import { says, type Block } from './messages-api.ts'
import type { Stream } from './stream.ts'

const root = new URL('../../../', import.meta.url).pathname

/** Calls that would change what is not the agent's, by the path that must stay as it was. */
const denied: readonly (readonly [string, (path: string) => Block])[] = [
  ['ralph/prd.md', (path) => ({ tool: 'Write', input: { file_path: path, content: 'PLANTED' } })],
  [
    'ralph/prd.md',
    (path) => ({ tool: 'Edit', input: { file_path: path, old_string: 'wanted', new_string: 'PLANTED' } }),
  ],
  ['ralph/prd.md', () => bash('echo PLANTED >> ralph/prd.md')],
  ['.ralph-active', (path) => ({ tool: 'Write', input: { file_path: path, content: '{"PLANTED":1}' } })],
  ['.ralph-active', () => bash('echo PLANTED > .ralph-active')],
  ['.ralph-active', () => bash('rm -f .ralph-active')],
  ['.claude/settings.json', (path) => ({ tool: 'Write', input: { file_path: path, content: '{"PLANTED":1}' } })],
  ['.claude/settings.local.json', () => bash('mkdir -p .claude; echo "{}" > .claude/settings.local.json')],
  ['.git/hooks/pre-commit', (path) => ({ tool: 'Write', input: { file_path: path, content: '#!/bin/sh\n' } })],
  ['.git/hooks/post-commit', () => bash('printf PLANTED > .git/hooks/post-commit')],
  [join(root, 'scripts/hooks/planted.cjs'), (path) => ({ tool: 'Write', input: { file_path: path, content: '' } })],
  [join(root, 'scripts/planted.sh'), (path) => bash(`echo PLANTED > '${path}'`)],
]

const allowed: readonly Block[] = [
  bash('cat ralph/prd.md .ralph-active && git log --oneline -1'),
  bash('mkdir -p work && echo "see ralph/prd.md" > work/US-001.txt'),
]

describe.skipIf(claudeProgram === null)('the guard in the real Claude Code', () => {
  let lab: ClaudeLab
  let session: Stream
  let marker: string[]
  beforeAll(async () => {
    lab = await ClaudeLab.open()
    marker = []
    const { model } = lab.acts({
      implement: () => [
        // Without having read a file Claude Code itself does not let it be written.
        ...['ralph/prd.md', '.ralph-active'].map((path) =>
          says({ tool: 'Read', input: { file_path: join(lab.project, path) } }),
        ),
        ...[...denied.map(([path, call]) => call(resolve(lab.project, path))), ...allowed].map((call) => says(call)),
        lab.submits(),
      ],
    }).api
    lab.api.model = (asked) => {
      if (lab.has('.ralph-active')) marker.push(lab.read('.ralph-active'))
      return model(asked)
    }
    await lab.run(['-n', '1', '--agent-arg', '--include-hook-events'])
    session = lab.streams()[0] as Stream
  })
  afterAll(() => lab.close())

  it('denies each of these under --dangerously-skip-permissions, and tells why', () => {
    expect(session.init['permissionMode']).toBe('bypassPermissions')
    expect(session.result['permission_denials']).toHaveLength(denied.length)
    const results = lab.asked('implement').at(-1)?.results ?? []
    const told = denied.map((_, index) => results[index + 2])
    for (const text of told) expect(text).toMatch(/Ralph/)
  })

  it.each(denied.map(([path, call]) => [path, JSON.stringify(call(path)).slice(0, 100)]))(
    'leaves %s unwritten by %s',
    (path) => {
      if (path.startsWith('/') || path.startsWith('.git/') || path.startsWith('.claude/')) {
        expect(existsSync(resolve(lab.project, path))).toBe(false)
      } else if (path === '.ralph-active') {
        expect(marker.length).toBeGreaterThan(denied.length)
        expect(new Set(marker).size).toBe(1)
      } else expect(lab.read(path)).toBe('# What is wanted\n')
    },
  )

  it('leaves the runner nothing to put back', () => {
    const rejected = join(lab.runDirectory(), 'rejected')
    expect(existsSync(rejected) ? readdirSync(rejected) : []).toEqual([])
  })

  it('lets reading and ordinary work pass', () => {
    expect(lab.read('work/US-001.txt')).toBe('see ralph/prd.md\n')
    expect(lab.story('US-001').reviewStatus).toBe('needs_review')
    expect(readFileSync(join(lab.project, 'ralph/prd.md'), 'utf8')).toBe('# What is wanted\n')
  })
})
