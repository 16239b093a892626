import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { ClaudeLab, claudeProgram } from './lab.ts'
import { says } from './messages-api.ts'

describe.skipIf(claudeProgram === null)('a loop with the real Claude Code', () => {
  let lab: ClaudeLab
  afterEach(() => lab.close())

  it('completes two stories, of which one is sent back once', async () => {
    lab = await ClaudeLab.open({ stories: 2, files: { 'CLAUDE.md': 'Indent with tabs.\n' } })
    let isSentBack = false
    lab.acts({
      review: (story, { turn }) => {
        if (story === 'US-001' && !isSentBack) {
          isSentBack = turn > 0
          return [lab.rejects('1. It says v1 and must say v2.')]
        }
        return lab.honest('review', story)
      },
    })
    const { exitCode, events, stdout } = await lab.run(['--no-sandbox', '--agent-arg', '--include-hook-events'])
    expect(stdout).toContain('Complete')
    expect(exitCode).toBe(0)
    expect(lab.read('work/US-001.txt')).toBe('v2\n')
    const started = events.filter((event) => event.kind === 'iteration.started')
    expect(started.map(({ mode, story }) => `${mode} ${story}`)).toEqual([
      'implement US-001',
      'review US-001',
      'review-fix US-001',
      'review US-001',
      'implement US-002',
      'review US-002',
    ])
    const finished = events.filter((event) => event.kind === 'agent.finished')
    expect(new Set(finished.map(({ outcome, exitCode }) => `${outcome} ${exitCode}`))).toEqual(new Set(['succeeded 0']))
    for (const { costUsd, tokens } of finished) {
      expect(costUsd).toBeGreaterThan(0)
      expect(tokens).toMatchObject({ input: expect.any(Number), output: expect.any(Number) })
      expect(tokens?.cacheRead).toBeGreaterThan(0)
    }
    // Each start is a session of its own, by the id that is in the journal.
    const sessions = new Set(lab.api.asked.map(({ headers }) => headers['x-claude-code-session-id']))
    expect([...sessions]).toEqual(started.map(({ sessionId }) => sessionId))
    expect(new Set(lab.api.asked.map(({ line }) => line))).toEqual(new Set(['POST /v1/messages?beta=true']))
    const raw = readFileSync(join(lab.runDirectory(), 'iterations', '0001.ndjson'), 'utf8')
      .trim()
      .split('\n')
    const types = raw.map((line) => (JSON.parse(line) as { type: string }).type)
    expect([types[0], types.at(-1)]).toEqual(['system', 'result'])
    for (const { besides } of lab.api.asked) expect(besides).toContain('Indent with tabs.')
    // The hooks of this very Ralph were there in each of them, and had nothing against honest work.
    for (const { init, hooks } of lab.streams()) {
      expect(init['plugins']).toContainEqual(expect.objectContaining({ name: 'ralph', source: 'ralph@inline' }))
      expect(init['plugin_errors']).toBeUndefined()
      expect(new Set(hooks.map(({ event }) => event))).toEqual(
        new Set(['SessionStart', 'PreToolUse', 'PostToolUse', 'Stop']),
      )
      for (const hook of hooks) expect(hook).toMatchObject({ stdout: '', stderr: '', exitCode: 0, outcome: 'success' })
    }
  })

  it('gets a prompt of 200 kB with every script and sign in it to the model unchanged', async () => {
    lab = await ClaudeLab.open()
    const signs = 'é ß 漢字 العربية עברית 🧑‍🚀👍🏽 \u2028 \u00A0 e\u0301 \\n \\u0041 "quoted" <tag> & `code` \t $HOME %s'
    const lines = Array.from({ length: 1700 }, (_, index) => `${index}: ${signs}`)
    lab.write('ralph/prompt.md', `{{header}}\n\n${lines.join('\n')}\n`)
    lab.acts({ implement: () => [says('I have read it.')] })
    await lab.run(['-n', '1'])
    const sent = readFileSync(join(lab.runDirectory(), 'iterations', '0001.prompt.md'), 'utf8')
    expect(Buffer.byteLength(sent)).toBeGreaterThan(200_000)
    expect(sent.includes(lines.join('\n'))).toBe(true)
    expect(lab.asked('implement')[0]?.prompt === sent).toBe(true)
  })
})
