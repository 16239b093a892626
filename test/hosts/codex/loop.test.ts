import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { newMark } from '../../support/processes.ts'
import { CodexLab, codexProgram, edits, honest, shell, userConfig } from './lab.ts'
import { says } from './responses-api.ts'

describe.skipIf(codexProgram === null)('a loop with the real codex', () => {
  let lab: CodexLab
  afterEach(() => lab.close())

  it('completes two stories in its own sandbox, of which one is sent back once', async () => {
    lab = await CodexLab.open({ stories: 2, files: { 'AGENTS.md': 'Indent with tabs.\n' } })
    let isSentBack = false
    lab.acts({
      review: (story, { turn }) => {
        if (story === 'US-001' && !isSentBack) {
          isSentBack = turn > 0
          return [edits('reject', '1. It says v1 and must say v2.')]
        }
        return honest('review', story)
      },
    })
    const { exitCode, events, stdout } = await lab.run()
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
    expect(new Set(started.map(({ agent }) => agent))).toEqual(new Set(['codex']))
    // It committed by itself: the runner had nothing to commit for it.
    expect(lab.git('log', '--format=%an %s', 'main..HEAD')).not.toContain('left uncommitted')
    const finished = events.filter((event) => event.kind === 'agent.finished')
    expect(new Set(finished.map(({ outcome, exitCode }) => `${outcome} ${exitCode}`))).toEqual(new Set(['succeeded 0']))
    for (const { costUsd, tokens } of finished) {
      expect(costUsd).toBeNull()
      expect(tokens).toEqual({
        input: expect.any(Number),
        output: expect.any(Number),
        cacheRead: expect.any(Number),
        cacheWrite: 0,
      })
      expect(tokens?.cacheRead).toBeGreaterThan(0)
    }
    for (const { besides } of lab.api.asked) expect(besides).toContain('Indent with tabs.')
    expect(new Set(lab.api.asked.map(({ line }) => line))).toEqual(new Set(['POST /v1/responses']))
    const raw = readFileSync(join(lab.runDirectory(), 'iterations', '0001.ndjson'), 'utf8')
      .trim()
      .split('\n')
    const types = raw.map((line) => (JSON.parse(line) as { type: string }).type)
    expect([types[0], types.at(-1)]).toEqual(['thread.started', 'turn.completed'])
    // Nothing of its own is left, and the user's is as it was.
    expect(existsSync(join(lab.runDirectory(), 'agent', 'codex', 'home'))).toBe(false)
    expect(lab.userConfig()).toBe(userConfig(lab.api.url))
  })

  it('gets a prompt of 200 kB and instructions of 100 kB with every script and sign in it to the model unchanged', async () => {
    const signs = 'é ß 漢字 العربية עברית 🧑‍🚀👍🏽 \u2028 \u00A0 e\u0301 \\n \\u0041 "quoted" <tag> & `code` \t $HOME %s'
    const lines = Array.from({ length: 1700 }, (_, index) => `${index}: ${signs}`)
    lab = await CodexLab.open({ files: { 'AGENTS.md': `${lines.slice(0, 850).join('\n')}\n` } })
    lab.write('ralph/prompt.md', `{{header}}\n\n${lines.join('\n')}\n`)
    lab.acts({ implement: () => [says('I have read it.')] })
    await lab.run(['-n', '1'])
    const sent = readFileSync(join(lab.runDirectory(), 'iterations', '0001.prompt.md'), 'utf8')
    expect(Buffer.byteLength(sent)).toBeGreaterThan(200_000)
    expect(lab.asked('implement')[0]?.prompt === sent).toBe(true)
    expect(lab.asked('implement')[0]?.besides.includes(lines.slice(0, 850).join('\n'))).toBe(true)
  })

  it('writes nothing outside of the project and reaches nobody, unless the user lets it', async () => {
    lab = await CodexLab.open()
    const outside = `/var/tmp/ralph-codex-${newMark()}`
    const ask = `node -e "fetch('${lab.api.url}/canary').then(() => console.log('REACHED'), () => console.log('REFUSED'))"`
    lab.acts({ implement: () => [says(shell(`touch ${outside}; ${ask}`))] })
    try {
      await lab.run(['-n', '1'])
      expect(existsSync(outside)).toBe(false)
      expect(lab.api.asked.filter(({ line }) => line.includes('canary'))).toEqual([])
      const results = lab.api.asked.at(-1)?.results.join('\n')
      expect(results).toMatch(/Read-only file system[^]*REFUSED/)
      await lab.run(['-n', '1', '--fresh', '--agent-arg=-c', '--agent-arg=sandbox_workspace_write.network_access=true'])
      expect(lab.api.asked.filter(({ line }) => line.includes('canary'))).toHaveLength(1)
    } finally {
      rmSync(outside, { force: true })
    }
  })
})
