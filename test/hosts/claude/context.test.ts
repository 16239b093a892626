import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bash, ClaudeLab, claudeProgram } from './lab.ts'
import { says, type Answer, type Asked } from './messages-api.ts'
import type { HookCall, Stream } from './stream.ts'

/** A model with a window of 200,000 tokens. */
const small = ['--model', 'claude-sonnet-4-5']

/** The alerts of a request in words, each as often as it is there. */
const alertsIn = ({ raw }: Asked): string[] =>
  raw.match(/(?:NOTICE|WARNING|CRITICAL): \d+% of the context[^"\\]*/g) ?? []
const levelsIn = (asked: Asked): string[] => alertsIn(asked).map((alert) => alert.split('%')[0] ?? '')

describe.skipIf(claudeProgram === null)('the context monitor in the real Claude Code', () => {
  let lab: ClaudeLab
  beforeEach(async () => {
    lab = await ClaudeLab.open()
  })
  afterEach(() => lab.close())

  /**
   * A call after so many tokens. It prints something, because the transcript must grow for the monitor to look again (a token is at
   * least a byte), and ends when the call itself is in the transcript, which is written with a delay.
   */
  function at(inputTokens: number, exitCode = 0): Answer {
    const print = `head -c 25000 /dev/zero | tr '\\0' x`
    const wait = `until grep -rqs 'at ${inputTokens} tokens' '${lab.config}/projects'; do sleep 0.02; done`
    return { ...says(bash(`${print}; ${wait}; exit ${exitCode}`)), inputTokens, outputTokens: 1 }
  }

  const steps = () => [
    at(90_000),
    at(101_000),
    at(105_000),
    at(121_000),
    at(145_000),
    at(150_000),
    at(185_000),
    at(190_000),
  ]
  const [half, sixty, most, full] = ['NOTICE: 50', 'NOTICE: 60', 'WARNING: 72', 'CRITICAL: 92']
  const heard = [
    [],
    [],
    [half],
    [half],
    [half, sixty],
    [half, sixty, most],
    [half, sixty, most],
    [half, sixty, most, full],
    [half, sixty, most, full],
  ]

  it('tells an author in the next request that a threshold was reached, and each only once', async () => {
    lab.acts({ implement: steps })
    await lab.run(['-n', '1', ...small])
    const asked = lab.asked('implement')
    expect(asked.slice(0, heard.length).map(levelsIn)).toEqual(heard)
    const [first = '', , , last = ''] = alertsIn(asked.at(-1) as Asked)
    expect(first).toContain('add new stories to tasks.json — the next iteration will pick them up.')
    expect(last).toContain('(4) stop. The next iteration will continue from where you left off.')
  })

  it('tells a user only of the space, and after a failed tool as well', async () => {
    const session = await lab.session('Work.', { answers: [at(90_000), at(150_000, 7)], args: [...plugin, ...small] })
    const last = lab.askedIn(session).at(-1) as Asked
    expect(levelsIn(last)).toEqual(['WARNING: 75'])
    expect(alertsIn(last)[0]).not.toMatch(/tasks\.json|iteration/)
    expect(hookNames(session)).toContain('PostToolUseFailure:Bash')
  })

  it('begins anew after a compaction', async () => {
    const used = [30_000, 55_000, 95_000, 20_000, 56_000, 57_000].values()
    lab.api.model = ({ raw }) => {
      if (raw.includes('Your task is to create a detailed summary')) return says('<summary>So far so good.</summary>')
      const next = used.next()
      return next.done === true ? says('Done.') : at(next.value)
    }
    const args = [...plugin, ...small, '--autocompact', '100k']
    const session = await lab.session('Work.', { args, env: { RALPH_CONTEXT_WINDOW: '100000' } })
    const word = ({ name, stdout }: HookCall) => /(?:NOTICE|WARNING|CRITICAL): \d+/.exec(stdout)?.[0] ?? name
    expect(session.hooks.map(word).filter((name) => !name.startsWith('PreToolUse'))).toEqual([
      'SessionStart:startup',
      'PostToolUse:Bash',
      'NOTICE: 55',
      'CRITICAL: 95',
      'SessionStart:compact',
      'PostToolUse:Bash',
      'NOTICE: 56',
      'PostToolUse:Bash',
      'Stop',
    ])
  })
})

const plugin = ['--plugin-dir', new URL('../../../', import.meta.url).pathname]
const hookNames = ({ hooks }: Stream): string[] => hooks.map(({ name }) => name)
