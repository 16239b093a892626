import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { alertIn, HookSession, type HookCall } from '../../support/hook-session.ts'
import { scratch } from '../../support/scratch.ts'
import { boundaryLine, otherLine, resultLine, usedLine } from '../../support/transcript.ts'

let session: HookSession
beforeEach(() => {
  session = new HookSession(scratch())
})

/** A turn after which so many tokens are used; what the hook says to it. */
function turn(tokens: number, call: HookCall = {}): string | null {
  appendFileSync(session.transcript, resultLine('ok') + usedLine(tokens))
  return ask(call)
}
function ask(call: HookCall = {}): string | null {
  const end = session.run('post-tool-use', call)
  expect({ code: end.code, err: end.err }).toEqual({ code: 0, err: '' })
  return alertIn(end)
}
const severity = (alert: string | null): string | null => alert && alert.replace(/ of the context.*/s, '')
const inLoop = { env: { RALPH_RUN_ID: '20261116-024656-0a1b2c3d' } }

describe('the context monitor', () => {
  it('speaks at each threshold once', () => {
    const said = [40, 49, 50, 51, 59.9, 60, 65, 70, 79, 80, 89, 90, 95, 99].map((percent) =>
      severity(turn(percent * 2000)),
    )
    const expected = ['NOTICE: 50%', 'NOTICE: 60%', 'WARNING: 70%', 'WARNING: 80%', 'CRITICAL: 90%']
    expect(said.filter((alert) => alert !== null)).toEqual(expected)
    expect([2, 5, 7, 9, 11].map((turn) => said[turn])).toEqual(expected)
  })

  it('says only the highest of several at once, and the lower ones never', () => {
    expect(severity(turn(150_000))).toBe('WARNING: 75%')
    expect(turn(125_000)).toBeNull()
    expect(turn(150_000)).toBeNull()
    expect(severity(turn(165_000))).toBe('WARNING: 82%')
  })

  it('answers a failed call under its own name', () => {
    writeFileSync(session.transcript, usedLine(110_000))
    const end = session.run('post-tool-use', { input: session.input({ hook_event_name: 'PostToolUseFailure' }) })
    expect(JSON.parse(end.out)).toMatchObject({ hookSpecificOutput: { hookEventName: 'PostToolUseFailure' } })
  })

  it('speaks once when many calls end together', async () => {
    writeFileSync(session.transcript, usedLine(130_000))
    const ends = await session.together(8, 'post-tool-use')
    expect(ends.map(({ code, err }) => ({ code, err }))).toEqual(ends.map(() => ({ code: 0, err: '' })))
    expect(ends.map(alertIn).filter((alert) => alert !== null)).toHaveLength(1)
    expect(session.remembered()).toEqual(['fired-50', 'fired-60', 'look-60000-140000'])
  })

  it('says nothing to a subagent, and leaves it to be said', () => {
    expect(turn(110_000, { input: session.input({ agent_id: 'a1', agent_type: 'Explore' }) })).toBeNull()
    expect(severity(ask())).toBe('NOTICE: 55%')
  })

  it('does not hear what a tool printed, a subagent used or the API refused', () => {
    const noise = [
      resultLine(usedLine(199_000)),
      usedLine(199_000, { isSidechain: true }),
      usedLine(199_000, { model: '<synthetic>' }),
    ]
    for (const line of noise) {
      writeFileSync(session.transcript, usedLine(20_000) + line)
      expect(ask()).toBeNull()
    }
  })

  it('knows windows: by model, by the variables, by what is in it', () => {
    const big = usedLine(480_000, { requestedModel: 'claude-sonnet-4-5[1m]' })
    writeFileSync(session.transcript, big)
    expect(ask()).toBeNull()
    expect(severity(ask({ env: { CLAUDE_CONTEXT_WINDOW: '960000' } }))).toBeNull()
    rmSync(session.state, { recursive: true })
    expect(severity(ask({ env: { CLAUDE_CONTEXT_WINDOW: '960000' } }))).toBe('NOTICE: 50%')
    rmSync(session.state, { recursive: true })
    const env = { RALPH_CONTEXT_WINDOW: '500000', CLAUDE_CONTEXT_WINDOW: '960000' }
    expect(severity(ask({ env }))).toBe('CRITICAL: 96%')
  })

  it('estimates from the size where there is no usage at all', () => {
    writeFileSync(session.transcript, resultLine('x'.repeat(500_000)))
    expect(ask()).toMatch(/^NOTICE: 62% of the context window is used \(an estimated 125k of 200k tokens\)/)
    expect(ask()).toBeNull()
  })
})

describe('inside of a loop', () => {
  it('tells of tasks.json and the next iteration', () => {
    expect(turn(185_000, inLoop)).toMatch(/^CRITICAL: 92% .* \(1\) create tasks in tasks\.json .*\(4\) stop\. /)
  })

  it('knows the session of the marker', () => {
    writeFileSync(join(session.project, '.ralph-active'), JSON.stringify({ sessionId: session.id }))
    expect(turn(110_000)).toContain('tasks.json')
  })

  it('knows a marker that names neither session nor run, as older ones do', () => {
    writeFileSync(join(session.project, '.ralph-active'), '{"pid":12345,"skipReview":false}')
    expect(turn(110_000)).toContain('tasks.json')
  })

  it('is not where git tracks the marker', () => {
    writeFileSync(join(session.project, '.ralph-active'), JSON.stringify({ sessionId: session.id }))
    execFileSync('git', ['init', '-q'], { cwd: session.project })
    execFileSync('git', ['add', '-f', '.ralph-active'], { cwd: session.project })
    expect(turn(110_000)).not.toContain('tasks.json')
  })

  it.each([
    ['of another session', JSON.stringify({ sessionId: 'b'.repeat(36) })],
    ['of a run that is gone', '{"runId":"20261116-024656-0a1b2c3d","pid":0}'],
    ['broken', '{"sessionId":'],
    ['empty', ''],
  ])('is not where the marker is %s', (_, marker) => {
    writeFileSync(join(session.project, '.ralph-active'), marker)
    expect(turn(110_000)).not.toContain('tasks.json')
  })

  it.each(['directory', 'fifo', 'link'])('is not where the marker is a %s', (kind) => {
    const path = join(session.project, '.ralph-active')
    if (kind === 'directory') mkdirSync(path)
    else if (kind === 'fifo') execFileSync('mkfifo', [path])
    else {
      writeFileSync(join(session.root, 'forged'), JSON.stringify({ sessionId: session.id }))
      symlinkSync('../forged', path)
    }
    expect(turn(110_000)).not.toContain('tasks.json')
  })
})

describe('outside of a loop', () => {
  it('speaks of space only', () => {
    for (const tokens of [100_000, 120_000, 140_000, 160_000, 180_000]) {
      expect(turn(tokens)).not.toMatch(/tasks\.json|iteration|stor(?:y|ies)|progress\.txt|commit/i)
    }
  })

  it('is silent with RALPH_CONTEXT_ALERTS=loop, which a loop is not', () => {
    const env = { RALPH_CONTEXT_ALERTS: 'loop' }
    expect(turn(110_000, { env })).toBeNull()
    writeFileSync(join(session.project, '.ralph-active'), '{"sessionId":"another"}')
    expect(turn(110_000, { env })).toBeNull()
    expect(severity(turn(125_000, { env: { ...env, ...inLoop.env } }))).toBe('NOTICE: 62%')
  })

  it('is silent with RALPH_CONTEXT_ALERTS=off, and so is a loop', () => {
    expect(turn(110_000, { env: { ...inLoop.env, RALPH_CONTEXT_ALERTS: 'off' } })).toBeNull()
  })
})

describe('after a compaction', () => {
  it.each(['startup', 'resume', 'compact'])('SessionStart (%s) arms every threshold again', (source) => {
    expect(severity(turn(150_000))).toBe('WARNING: 75%')
    const end = session.run('session-start', { input: session.input({ hook_event_name: 'SessionStart', source }) })
    expect(end).toEqual({ code: 0, out: '', err: '' })
    expect(severity(turn(150_000))).toBe('WARNING: 75%')
  })

  it('thresholds are armed again also where no SessionStart came', () => {
    expect(severity(turn(150_000))).toBe('WARNING: 75%')
    appendFileSync(session.transcript, boundaryLine(20_000))
    expect(turn(30_000)).toBeNull()
    expect(session.remembered()).toEqual(['look-0-50000'])
    expect(severity(turn(150_000))).toBe('WARNING: 75%')
  })

  it('a little less is no compaction', () => {
    expect(severity(turn(150_000))).toBe('WARNING: 75%')
    expect(turn(90_000)).toBeNull()
    expect(turn(150_000)).toBeNull()
  })

  it('what was used before it is not used any more', () => {
    writeFileSync(session.transcript, usedLine(190_000) + boundaryLine(30_000))
    expect(ask()).toBeNull()
  })

  it('SessionStart finds the session where only stdin names it', () => {
    const env = { CLAUDE_CODE_SESSION_ID: undefined }
    expect(severity(turn(150_000, { env }))).toBe('WARNING: 75%')
    expect(ask({ env })).toBeNull()
    session.run('session-start', { env, input: session.input({ hook_event_name: 'SessionStart', source: 'resume' }) })
    expect(severity(ask({ env }))).toBe('WARNING: 75%')
  })
})

describe('what is remembered', () => {
  it('is private', () => {
    turn(110_000)
    for (const path of [join(session.data, 'context'), session.state]) expect(statSync(path).mode & 0o777).toBe(0o700)
    expect(statSync(join(session.state, 'fired-50')).mode & 0o777).toBe(0o600)
  })

  it('is among the temporary files where Claude Code keeps nothing for us', () => {
    const env = { CLAUDE_PLUGIN_DATA: undefined }
    expect(severity(turn(110_000, { env }))).toBe('NOTICE: 55%')
    expect(ask({ env })).toBeNull()
    const place = join(session.root, `ralph-context-${process.getuid?.() ?? 0}`)
    expect(statSync(place).mode & 0o777).toBe(0o700)
    expect(readdirSync(place)).toEqual([session.id])
  })

  it('is never where a link leads', () => {
    const elsewhere = join(session.root, 'elsewhere')
    mkdirSync(elsewhere)
    symlinkSync(elsewhere, join(session.root, `ralph-context-${process.getuid?.() ?? 0}`))
    expect(turn(110_000, { env: { CLAUDE_PLUGIN_DATA: undefined } })).toBeNull()
    expect(readdirSync(elsewhere)).toEqual([])
  })

  it.each(['../../up', 'a/b', '', '.', 'x'.repeat(300)])('has no place for a session named %j', (id) => {
    const input = session.input({ session_id: id })
    expect(turn(110_000, { env: { CLAUDE_CODE_SESSION_ID: undefined }, input })).toBeNull()
    expect(existsSync(session.state)).toBe(false)
  })

  it('goes after a week, but nothing that is not ours', () => {
    const context = join(session.data, 'context')
    const old = (name: string, file: string): string => {
      mkdirSync(join(context, name), { recursive: true })
      writeFileSync(join(context, name, file), '')
      utimesSync(join(context, name), 0, 0)
      return join(context, name)
    }
    const [gone, theirs, odd] = [old('a'.repeat(36), 'fired-50'), old('b'.repeat(36), 'letter'), old('c d', 'fired-50')]
    const recent = old('d'.repeat(36), 'fired-50')
    utimesSync(recent, new Date(), new Date())
    turn(1000)
    expect([gone, theirs, odd, recent].map((path) => existsSync(path))).toEqual([false, true, true, true])
  })

  it('is among the temporary files where the directory cannot be written', () => {
    // Not by its mode, which does not count for root.
    const env = { CLAUDE_PLUGIN_DATA: '/proc/self/fdinfo' }
    expect(severity(turn(110_000, { env }))).toBe('NOTICE: 55%')
    expect(ask({ env })).toBeNull()
  })
})

describe('bad input', () => {
  it.each([
    ['empty', ''],
    ['binary', Buffer.from(Array.from({ length: 3000 }, (_, index) => index % 256))],
    ['half', JSON.stringify({ session_id: 'x', transcript_path: '/x' }).slice(0, -5)],
    ['a list', '[]'],
    ['too deep', `{"a":${'['.repeat(100_000)}`],
  ])('%s on stdin is one line on stderr', (_, input) => {
    const end = session.run('post-tool-use', { input })
    expect({ code: end.code, out: end.out }).toEqual({ code: 0, out: '' })
    expect(end.err).toMatch(/^ralph post-tool-use: stdin is [^\n]+\n$/)
  })

  it.each([
    ['no fields', {}],
    ['fields of other kinds', { session_id: 5, transcript_path: ['/x'], hook_event_name: {} }],
    ['a relative transcript', { transcript_path: 'transcript.jsonl' }],
    ['a transcript with a NUL', { transcript_path: '/tmp/\0x' }],
    ['a path that is too long', { transcript_path: `/${'x/'.repeat(5000)}` }],
  ])('%s: nothing', (_, input) => {
    expect(ask({ input })).toBeNull()
  })

  it('50 MB on stdin are read', () => {
    writeFileSync(session.transcript, usedLine(110_000))
    const input = session.input({ tool_response: { stdout: 'x'.repeat(50_000_000) } })
    expect(severity(ask({ input }))).toBe('NOTICE: 55%')
  })

  it.each(['a directory', 'a FIFO', 'missing'])('a transcript that is %s costs node once', (kind) => {
    if (kind === 'a directory') mkdirSync(session.transcript)
    if (kind === 'a FIFO') execFileSync('mkfifo', [session.transcript])
    expect(ask()).toBeNull()
    const { PATH, starts } = session.fakeNode()
    expect(ask({ env: { PATH } })).toBeNull()
    expect(starts()).toEqual([])
    rmSync(session.transcript, { recursive: true, force: true })
    expect(severity(turn(110_000))).toBe('NOTICE: 55%')
  })

  it('a transcript at any path', () => {
    for (const name of ['-rf', 'a b', "it's", '"q"', 'new\nline', 'back\\slash', '$(touch x)', '*', 'ümläut']) {
      const path = join(session.root, name)
      writeFileSync(path, otherLine() + usedLine(20_000))
      const call = { input: session.input({ transcript_path: path }) }
      expect(ask(call)).toBeNull()
      const { PATH, starts } = session.fakeNode()
      expect(ask({ ...call, env: { PATH } })).toBeNull()
      expect(starts()).toEqual([])
      appendFileSync(path, usedLine(110_000))
      expect(severity(ask(call))).toBe('NOTICE: 55%')
      rmSync(session.state, { recursive: true })
    }
  })
})
