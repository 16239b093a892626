import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/base/json.ts'
import { HookSession, launcher, type HookCall, type HookEnd } from '../../support/hook-session.ts'
import { scratch } from '../../support/scratch.ts'

let session: HookSession
beforeEach(() => {
  session = new HookSession(scratch())
  execFileSync('git', ['init', '-q', session.project])
  for (const [path, text] of Object.entries({
    'ralph/prd.md': 'What people want.\n',
    'ralph/tasks.json': '{}\n',
    '.ralph-active': JSON.stringify({ sessionId: session.id, ralphDir: 'ralph' }),
  })) {
    mkdirSync(dirname(at(path)), { recursive: true })
    writeFileSync(at(path), text)
  }
})

const at = (path: string): string => join(session.project, path)
const run = { RALPH_RUN_ID: '20261116-024656-0a1b2c3d', RALPH_DIR: 'ralph' }

const asks = (tool_name: string, tool_input: JsonObject, call: HookCall = {}): HookEnd =>
  session.run('pre-tool-use', {
    env: run,
    ...call,
    input: call.input ?? { ...sample, session_id: session.id, cwd: call.cwd ?? session.project, tool_name, tool_input },
  })
const writes = (path: string, call?: HookCall): HookEnd => asks('Write', { file_path: path, content: 'x' }, call)
const runs = (command: string, call?: HookCall): HookEnd => asks('Bash', { command }, call)

const sample = JSON.parse(
  readFileSync(new URL('../../fixtures/hooks/pre-tool-use-bash.json', import.meta.url), 'utf8'),
) as JsonObject

/** What the model is told; null where the call may go on. */
function denial({ code, out, err }: HookEnd): string | null {
  expect({ code, err }).toEqual({ code: 0, err: '' })
  if (out === '') return null
  const { hookSpecificOutput } = JSON.parse(out) as { hookSpecificOutput: Record<string, string> }
  expect(hookSpecificOutput).toMatchObject({ hookEventName: 'PreToolUse', permissionDecision: 'deny' })
  return hookSpecificOutput['permissionDecisionReason'] ?? ''
}

describe('inside a loop the guard', () => {
  it('denies with a reason and lets everything else go on', () => {
    expect(denial(writes(at('ralph/prd.md')))).toMatch(
      /would write ralph\/prd\.md\. .*only people.* notes of your story/,
    )
    expect(denial(runs('echo x > .ralph-active'))).toContain('would write .ralph-active')
    expect(denial(runs('rm -rf ralph'))).toContain('would remove')
    expect(denial(writes(at('src/main.ts')))).toBeNull()
    expect(denial(runs('npm test && git commit -m "rm .ralph-active"'))).toBeNull()
    expect(denial(asks('Read', { file_path: at('ralph/prd.md') }))).toBeNull()
  })

  it('knows where the plugin, its state and the configuration of agents are', () => {
    expect(denial(writes(launcher))).toContain('belongs to Ralph itself')
    expect(denial(writes(join(session.data, 'stop', session.id)))).toContain('the runner remembers')
    expect(denial(writes(join(session.root, '.local/state/ralph/x/lock')))).toContain('the runner remembers')
    expect(denial(writes('/state/x', { env: { ...run, RALPH_STATE_DIR: '/state' } }))).toContain('the runner remembers')
    expect(denial(writes(join(session.root, '.claude/settings.json')))).toContain('configures what coding agents')
    const env = { ...run, CLAUDE_CONFIG_DIR: join(session.root, 'config') }
    expect(denial(writes(join(session.root, 'config/settings.local.json'), { env }))).toContain('configures')
  })

  it('sees through links, of directories, of files, of what is not there yet, and hard ones', () => {
    symlinkSync('ralph', at('docs'))
    symlinkSync('../ralph/prd.md', at('ralph/other.md'))
    symlinkSync('.claude/settings.json', at('later'))
    linkSync(at('ralph/prd.md'), at('twin.md'))
    symlinkSync(session.project, join(session.root, 'way'))
    expect(denial(writes(at('docs/prd.md')))).toContain('ralph/prd.md')
    expect(denial(writes(at('ralph/other.md')))).toContain('ralph/prd.md')
    expect(denial(writes(at('later')))).toContain('.claude/settings.json')
    expect(denial(writes(at('twin.md')))).toContain('ralph/prd.md')
    expect(denial(runs('echo x > twin.md'))).toContain('ralph/prd.md')
    expect(denial(writes(join(session.root, 'way/.ralph-active')))).toContain('.ralph-active')
    expect(denial(writes(`/proc/self/root${at('ralph/prd.md')}`))).toContain('ralph/prd.md')
    expect(denial(runs('rm docs later'))).toBeNull()
    expect(denial(writes('prd.md', { cwd: at('docs') }))).toContain('ralph/prd.md')
  })

  it('knows the repository of a linked work tree', () => {
    const git = (...words: string[]) => execFileSync('git', ['-C', session.project, ...words])
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'x')
    git('worktree', 'add', '-q', join(session.root, 'tree'))
    const env = { ...run, CLAUDE_PROJECT_DIR: join(session.root, 'tree') }
    const call = { env, cwd: join(session.root, 'tree') }
    expect(denial(runs('echo x > ../project/.git/hooks/pre-commit', call))).toContain('Hooks and configuration')
    expect(denial(runs('echo "gitdir: /tmp/x" > .git', call))).toContain('Hooks and configuration')
    expect(denial(runs('git status', call))).toBeNull()
  })

  it.each([
    ['removed', () => rmSync(at('.ralph-active'))],
    ['a FIFO', () => (rmSync(at('.ralph-active')), execFileSync('mkfifo', [at('.ralph-active')]))],
    ['a directory', () => (rmSync(at('.ralph-active')), mkdirSync(at('.ralph-active')))],
    ['a link to a device', () => (rmSync(at('.ralph-active')), symlinkSync('/dev/zero', at('.ralph-active')))],
    ['a dangling link', () => (rmSync(at('.ralph-active')), symlinkSync('/nowhere', at('.ralph-active')))],
    ['forged', () => writeFileSync(at('.ralph-active'), '{"sessionId":"other","ralphDir":"elsewhere"}')],
    ['garbage', () => writeFileSync(at('.ralph-active'), Buffer.from([0xff, 0xfe, 0]))],
    ['empty', () => writeFileSync(at('.ralph-active'), '')],
  ])('holds when the marker is %s', (_, spoil) => {
    spoil()
    expect(denial(writes(at('ralph/prd.md')))).toContain('ralph/prd.md')
    expect(denial(runs('rm -rf .ralph-active'))).toContain('.ralph-active')
    expect(denial(writes(at('src/main.ts')))).toBeNull()
  })

  it('cannot be switched off', () => {
    expect(denial(writes(at('ralph/prd.md'), { env: { ...run, RALPH_GUARD: 'off' } }))).toContain('ralph/prd.md')
  })

  it('holds in the session of the marker, also without the variables of the runner', () => {
    expect(denial(writes(at('ralph/prd.md'), { env: { RALPH_GUARD: 'off' } }))).toContain('ralph/prd.md')
    expect(denial(writes(at('ralph/tasks.json'), { env: {} }))).toBeNull()
  })

  it('holds where the marker names neither session nor run, unless git tracks it', () => {
    writeFileSync(at('.ralph-active'), '{"pid":12345,"skipReview":false}')
    expect(denial(writes(at('ralph/prd.md'), { env: {} }))).toContain('ralph/prd.md')
    expect(runs('true', { env: {}, input: 'garbage' })).toMatchObject({ code: 2, out: '' })
    execFileSync('git', ['add', '-f', '.ralph-active'], { cwd: session.project })
    expect(denial(writes(at('ralph/prd.md'), { env: {} }))).toBeNull()
    expect(runs('true', { env: {}, input: 'garbage' })).toMatchObject({ code: 0, out: '' })
  })

  it.each([
    ['one line', 0],
    ['a field a line', 2],
  ])('denies trouble of its own in the session of the marker, written as %s', (_, indent) => {
    writeFileSync(at('.ralph-active'), JSON.stringify({ version: 1, sessionId: session.id }, null, indent))
    expect(runs('true', { env: {}, input: 'garbage' })).toMatchObject({ code: 2, out: '' })
    expect(runs('true', { env: { PATH: session.fakeNode().PATH } })).toMatchObject({ code: 2, out: '' })
    expect(denial(runs('true', { env: {} }))).toBeNull()
  })

  it.each([
    ['empty', ''],
    ['half of JSON', '{"tool_name":"Bash","tool_inp'],
    ['no object', '[1]'],
    ['binary', Buffer.from([0, 255, 1, 254])],
    ['deep', `{"tool_name":"Bash","tool_input":${'['.repeat(5000)}${']'.repeat(5000)}}`],
  ])('denies what it cannot read: %s', (_, input) => {
    const end = runs('true', { input })
    expect({ code: end.code, out: end.out }).toEqual({ code: 2, out: '' })
    expect(end.err).toMatch(/^ralph guard: stdin is .*\nRalph's guard denies this call: /)
  })

  it('denies a call that does not say what it does', () => {
    expect(denial(asks('Write', { content: 'x' }))).toContain('its file_path is no text')
    expect(denial(asks('Bash', { command: { a: 1 } }))).toContain('its command is no text')
  })

  it('takes 50 MB to write', () => {
    expect(denial(asks('Write', { file_path: at('a.txt'), content: 'x'.repeat(50_000_000) }))).toBeNull()
  })
})

describe('in the session of somebody else, beside a loop, the guard', () => {
  const own = { env: { CLAUDE_CODE_SESSION_ID: 'another' } }
  const theirs = (tool_input: JsonObject, env: HookCall['env'] = {}) =>
    session.run('pre-tool-use', {
      env,
      input: { ...sample, session_id: 'another', cwd: session.project, tool_name: 'Write', tool_input },
    })

  it('says nothing', () => {
    expect(denial(theirs({ file_path: at('ralph/prd.md') }))).toBeNull()
    expect(denial(theirs({}))).toBeNull()
  })

  it('lets its own trouble hurt nobody', () => {
    const end = runs('true', { ...own, input: 'garbage' })
    expect({ code: end.code, out: end.out }).toEqual({ code: 0, out: '' })
    expect(end.err).toMatch(/^ralph guard: stdin is not valid JSON/)
    rmSync(at('.ralph-active'))
    execFileSync('mkfifo', [at('.ralph-active')])
    expect(denial(theirs({ file_path: at('ralph/prd.md') }))).toBeNull()
  })

  it('acts where the user wants it everywhere', () => {
    expect(denial(theirs({ file_path: at('.git/hooks/x') }, { RALPH_GUARD: 'always' }))).toContain('.git/hooks')
    expect(denial(theirs({ file_path: at('ralph/prd.md') }, { RALPH_GUARD: 'always' }))).toContain('ralph/prd.md')
    rmSync(at('.ralph-active'))
    expect(denial(theirs({ file_path: at('ralph/prd.md') }, { RALPH_GUARD: 'always' }))).toBeNull()
    expect(denial(theirs({ file_path: at('.git/hooks/x') }))).toBeNull()
  })
})
