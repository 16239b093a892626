import { afterEach, describe, expect, it } from 'vitest'
import type { Recorded } from '../../../src/model/event.ts'
import { killProcessesWith, newMark, processesWith } from '../../support/processes.ts'
import { until } from '../../support/until.ts'
import { bash, ClaudeLab, claudeProgram } from './lab.ts'
import { fails, says, type Model } from './messages-api.ts'

describe.skipIf(claudeProgram === null)('a run of the real Claude Code that does not go well', () => {
  let lab: ClaudeLab
  afterEach(() => lab.close())

  const finished = (events: readonly Recorded[]) => events.filter((event) => event.kind === 'agent.finished')
  const kinds = (events: readonly Recorded[]) => events.map(({ kind }) => kind)
  /** Its own retries take minutes. */
  const impatient = { CLAUDE_CODE_MAX_RETRIES: '1' }

  /** The first answers, and then the model as it is. */
  function first(...answers: ReturnType<Model>[]): void {
    const { model } = lab.api
    lab.api.model = (asked) => answers.shift() ?? model(asked)
  }

  it('leaves nothing behind when the runner is ended in the middle of a tool call', async () => {
    lab = await ClaudeLab.open()
    const mark = newMark()
    const forever = `node -e 'setInterval(() => {}, 1000)' ${mark}`
    lab.acts({ implement: () => [says(bash(`setsid ${forever} & ${forever}`))] })
    const running = lab.start()
    try {
      await until(
        'both children run',
        () => processesWith(mark).filter(({ args }) => args.startsWith('node')).length >= 2,
        60_000,
      )
      expect(processesWith(lab.root)).not.toEqual([])
      const start = performance.now()
      running.kill('SIGTERM')
      const { exitCode } = await running
      expect(exitCode).toBe(130)
      expect(performance.now() - start).toBeLessThan(8000)
      expect(processesWith(mark)).toEqual([])
      expect(processesWith(lab.root)).toEqual([])
    } finally {
      killProcessesWith(mark)
    }
    expect(lab.events().at(-1)).toMatchObject({ kind: 'run.stopped', reason: 'interrupted' })
    expect(finished(lab.events())).toMatchObject([{ outcome: 'interrupted' }])
  })

  it('stops with exit code 3 where there is no key, and asks nobody', async () => {
    lab = await ClaudeLab.open()
    delete lab.env['ANTHROPIC_API_KEY']
    const { exitCode, stdout, stderr, events } = await lab.run()
    expect(exitCode).toBe(3)
    expect(events.at(-1)).toMatchObject({ reason: 'not_logged_in' })
    expect(stdout + stderr).toContain('Not logged in')
    expect(lab.api.asked).toEqual([])
  })

  it.each([
    [401, 'authentication_error', 'invalid x-api-key'],
    [403, 'permission_error', 'no access'],
  ])('stops with exit code 3 when the API answers %d', async (status, error, message) => {
    lab = await ClaudeLab.open()
    lab.api.model = () => fails(status, error, message)
    const { exitCode, events } = await lab.run([], impatient)
    expect(finished(events)).toMatchObject([{ outcome: 'not-logged-in' }])
    expect(events.at(-1)).toMatchObject({ reason: 'not_logged_in' })
    expect(exitCode).toBe(3)
  })

  it('is tried again when the API is overloaded, by Claude Code itself and then by the runner', async () => {
    lab = await ClaudeLab.open()
    const busy = fails(529, 'overloaded_error', 'Overloaded')
    first(busy, busy, busy)
    const { exitCode, stdout, events } = await lab.run([], impatient)
    expect(exitCode).toBe(0)
    expect(finished(events).map(({ outcome }) => outcome)).toEqual(['overloaded', 'succeeded', 'succeeded'])
    expect(kinds(events)).toContain('wait.ended')
    expect(stdout).toMatch(/error 529; tries again/)
  })

  it('is tried again after a 429 of an API key, which has no limit that resets', async () => {
    lab = await ClaudeLab.open()
    const reject = fails(429, 'rate_limit_error', 'too many requests', { 'retry-after': '1' })
    first(reject, reject)
    const { exitCode, events } = await lab.run([], impatient)
    expect(exitCode).toBe(0)
    expect(finished(events).map(({ outcome }) => outcome)).toEqual(['overloaded', 'succeeded', 'succeeded'])
  })

  describe('with a subscription', () => {
    /** As the API answers when the hours of a subscription are used up. */
    const limit = (resetsInMs: number) =>
      fails(429, 'rate_limit_error', 'This request would exceed your account limit', {
        'anthropic-ratelimit-unified-status': 'rejected',
        'anthropic-ratelimit-unified-reset': String(Math.ceil((Date.now() + resetsInMs) / 1000)),
        'anthropic-ratelimit-unified-representative-claim': 'five_hour',
      })

    async function subscribed(): Promise<void> {
      lab = await ClaudeLab.open()
      delete lab.env['ANTHROPIC_API_KEY']
      lab.env['CLAUDE_CODE_OAUTH_TOKEN'] = 'token-that-is-none'
    }

    it('waits until the usage limit resets, and goes on', async () => {
      await subscribed()
      first(limit(2000))
      const { exitCode, events } = await lab.run([], impatient)
      expect(exitCode).toBe(0)
      const [turnedAway] = finished(events)
      expect(turnedAway).toMatchObject({ outcome: 'usage-limit', message: expect.stringContaining('hit your') })
      expect(kinds(events)).toContain('wait.ended')
    })

    it('stops with exit code 3 when that would take longer than it may', async () => {
      await subscribed()
      lab.api.model = () => limit(7 * 3_600_000)
      const { exitCode, events } = await lab.run([], impatient)
      expect(finished(events)).toMatchObject([{ outcome: 'usage-limit' }])
      expect(events.at(-1)).toMatchObject({ reason: 'usage_limit' })
      expect(exitCode).toBe(3)
    })
  })

  it('stops when it has used up the budget, which Claude Code keeps within one iteration', async () => {
    lab = await ClaudeLab.open()
    lab.acts({
      implement: () => Array.from({ length: 20 }, () => ({ ...says(bash('echo more')), outputTokens: 20_000 })),
    })
    const { exitCode, events } = await lab.run(['--max-cost', '1'])
    expect(finished(events)).toMatchObject([
      { outcome: 'failed', message: expect.stringContaining('maximum budget'), costUsd: expect.any(Number) },
    ])
    expect(finished(events)[0]?.costUsd).toBeLessThan(2)
    expect(events.at(-1)).toMatchObject({ reason: 'budget_exhausted' })
    expect(exitCode).toBe(1)
  })
})
