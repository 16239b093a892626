import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Recorded } from '../../../src/model/event.ts'
import { killProcessesWith, newMark, processesWith } from '../../support/processes.ts'
import { until } from '../../support/until.ts'
import { CodexLab, codexProgram, shell, userConfig } from './lab.ts'
import { fails, says, type Model } from './responses-api.ts'

describe.skipIf(codexProgram === null)('a run of the real codex that does not go well', () => {
  let lab: CodexLab
  afterEach(() => lab.close())

  const finished = (events: readonly Recorded[]) => events.filter((event) => event.kind === 'agent.finished')
  const kinds = (events: readonly Recorded[]) => events.map(({ kind }) => kind)

  /** The first answers, and then the model as it is. */
  function first(...answers: ReturnType<Model>[]): void {
    const { model } = lab.api
    lab.api.model = (asked) => answers.shift() ?? model(asked)
  }

  it('leaves nothing behind when the runner is ended in the middle of a tool call', async () => {
    lab = await CodexLab.open()
    const mark = newMark()
    const forever = `node -e 'setInterval(() => {}, 1000)' ${mark}`
    lab.acts({ implement: () => [says(shell(`setsid ${forever} & ${forever}`))] })
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

  it('leaves no process of its own behind when all goes well', async () => {
    lab = await CodexLab.open()
    const mark = newMark()
    lab.acts({
      implement: () => [says(shell(`setsid node -e 'setInterval(() => {}, 1000)' ${mark} >/dev/null 2>&1 &`))],
    })
    try {
      const { events } = await lab.run(['-n', '1'])
      expect(finished(events)).toMatchObject([{ outcome: 'succeeded' }])
      expect(processesWith(mark)).toEqual([])
      expect(processesWith(lab.root)).toEqual([])
    } finally {
      killProcessesWith(mark)
    }
  })

  it('stops with exit code 3 where there is no key, and asks nobody', async () => {
    lab = await CodexLab.open()
    delete lab.env['OPENAI_API_KEY']
    const { exitCode, stdout, stderr, events } = await lab.run()
    expect(events.at(-1)).toMatchObject({ reason: 'not_logged_in' })
    expect(exitCode).toBe(3)
    expect(stdout + stderr).toContain('codex login')
    expect(lab.api.asked).toEqual([])
  })

  it.each([401, 403])('stops with exit code 3 when the API answers %d', async (status) => {
    lab = await CodexLab.open()
    lab.api.model = () =>
      fails(status, { type: 'invalid_request_error', code: 'invalid_api_key', message: 'no such key' })
    const { exitCode, events } = await lab.run()
    expect(finished(events)).toMatchObject([{ outcome: 'not-logged-in' }])
    expect(events.at(-1)).toMatchObject({ reason: 'not_logged_in' })
    expect(exitCode).toBe(3)
  })

  it('stops with exit code 3 where nobody has logged in', async () => {
    lab = await CodexLab.open()
    writeFileSync(join(lab.config, 'config.toml'), `openai_base_url = "${lab.api.url}/v1"\n`)
    delete lab.env['OPENAI_API_KEY']
    const missing = fails(401, { type: 'invalid_request_error', message: 'Missing bearer authentication in header' })
    lab.api.model = ({ headers }) => (headers.authorization === undefined ? missing : says('Done.'))
    const { exitCode, events } = await lab.run()
    expect(finished(events)).toMatchObject([{ outcome: 'not-logged-in' }])
    expect(exitCode).toBe(3)
  })

  it('is tried again when the API is overloaded, by codex itself and then by the runner', async () => {
    lab = await CodexLab.open()
    const busy = fails(500, { type: 'server_error', message: 'overloaded' })
    first(busy, busy, busy, busy)
    const { exitCode, events } = await lab.run()
    expect(exitCode).toBe(0)
    const outcomes = finished(events).map(({ outcome }) => outcome)
    expect(outcomes.slice(-2)).toEqual(['succeeded', 'succeeded'])
    expect(new Set(outcomes.slice(0, -2))).toEqual(new Set(['overloaded']))
    expect(kinds(events)).toContain('wait.ended')
  })

  it('is tried again after a 429 of an API key, which has no limit that resets', async () => {
    lab = await CodexLab.open()
    const reject = fails(429, { type: 'rate_limit_error', message: 'too many requests' })
    first(reject)
    const { exitCode, events } = await lab.run()
    expect(exitCode).toBe(0)
    expect(finished(events).map(({ outcome }) => outcome)).toEqual(['overloaded', 'succeeded', 'succeeded'])
  })

  /** As the API answers when the hours of a subscription are used up. */
  const limit = (resetsInMs: number) =>
    fails(429, {
      type: 'usage_limit_reached',
      message: 'The usage limit has been reached',
      plan_type: 'pro',
      resets_at: Math.ceil((Date.now() + resetsInMs) / 1000),
    })

  it('waits until the usage limit resets, and goes on', async () => {
    lab = await CodexLab.open()
    first(limit(2000))
    const { exitCode, events } = await lab.run()
    expect(finished(events)[0]).toMatchObject({
      outcome: 'usage-limit',
      message: expect.stringContaining('hit your usage limit'),
    })
    expect(kinds(events)).toContain('wait.ended')
    expect(exitCode).toBe(0)
  })

  it('stops with exit code 3 when that would take longer than it may', async () => {
    lab = await CodexLab.open()
    lab.api.model = () => limit(7 * 3_600_000)
    const { exitCode, events } = await lab.run()
    expect(finished(events)).toMatchObject([{ outcome: 'usage-limit' }])
    expect(events.at(-1)).toMatchObject({ reason: 'usage_limit' })
    expect(exitCode).toBe(3)
  })

  it('takes a server that cannot be reached for one that will be back, and does not wait for ever', async () => {
    lab = await CodexLab.open()
    // A port that nobody listens on.
    writeFileSync(join(lab.config, 'config.toml'), userConfig('http://127.0.0.1:9'))
    const { exitCode, events } = await lab.run(['--max-time', '15s'])
    const ends = finished(events)
    expect(ends.length).toBeGreaterThan(1)
    expect(ends[0]).toMatchObject({ outcome: 'overloaded' })
    expect(Math.max(...ends.map(({ durationMs }) => durationMs))).toBeLessThan(15_000)
    expect(events.at(-1)).toMatchObject({ reason: 'timeout' })
    expect(exitCode).toBe(1)
  })

  it('stops with exit code 3 and says why where its own sandbox cannot be made', async () => {
    lab = await CodexLab.open()
    // A user who has no rights and may make no namespaces.
    const within = 'echo 0 > /proc/sys/user/max_user_namespaces; exec setpriv --bounding-set -all --inh-caps -all "$@"'
    const words = `exec unshare -U --map-root-user sh -c '${within}' sh '${codexProgram}' "$@"`
    rmSync(join(lab.bin, 'codex'))
    writeFileSync(join(lab.bin, 'codex'), `#!/bin/sh\n${words}\n`, { mode: 0o755 })
    const { exitCode, stdout, stderr, events } = await lab.run()
    expect(finished(events)).toMatchObject([{ outcome: 'unavailable', message: expect.stringContaining('bwrap') }])
    expect(stdout + stderr).toContain('let users make namespaces')
    expect(events.at(-1)).toMatchObject({ reason: 'agent_unavailable' })
    expect(exitCode).toBe(3)
  })

  it('cannot keep a budget in dollars, and names the one that it can', async () => {
    lab = await CodexLab.open()
    const { exitCode, stderr } = await lab.run(['--max-cost', '1'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('codex does not say what it costs')
    expect(stderr).toContain('--max-tokens')
    expect(lab.api.asked).toEqual([])
  })

  it('stops when it has used up the tokens', async () => {
    lab = await CodexLab.open()
    const { exitCode, events } = await lab.run(['--max-tokens', '2000'])
    expect(finished(events)).toHaveLength(1)
    expect(events.at(-1)).toMatchObject({ reason: 'budget_exhausted' })
    expect(exitCode).toBe(1)
  })
})
