import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import type { AgentExit, AgentReport } from '../../../src/agents/agent.ts'
import { claudeDialect, ClaudeReader } from '../../../src/agents/claude-stream.ts'
import { exited, ndjson, play, recorded } from '../../support/play-stream.ts'

const read = (file: string, exit: AgentExit = exited(0)) =>
  play(new ClaudeReader(claudeDialect(null)), [recorded(`claude/${file}`)], exit)

const login = 'run `claude` once and log in, or set ANTHROPIC_API_KEY'

/** File, exit code of that run, and what is to be made of it. */
const runs: readonly (readonly [file: string, exitCode: number, expected: Partial<AgentReport>])[] = [
  ['stream', 0, { outcome: 'succeeded', costUsd: 0.00014 }],
  ['plugindir-tools', 0, { outcome: 'succeeded', costUsd: 0.07002 }],
  ['post-ctx', 0, { outcome: 'succeeded' }],
  ['pre-deny', 0, { outcome: 'succeeded' }],
  ['stop-block-once', 0, { outcome: 'succeeded' }],
  ['stop-block-forever', 0, { outcome: 'succeeded' }],
  ['compact-100k', 0, { outcome: 'succeeded', costUsd: 0.608865 }],
  ['err-529-fallback', 0, { outcome: 'succeeded' }],
  ['limit-warning', 0, { outcome: 'succeeded', resetsAt: null }],
  ['tags-and-tools', 0, { outcome: 'succeeded', promises: ['COMPLETE'] }],
  ['partial-messages', 0, { outcome: 'succeeded', promises: ['COMPLETE'] }],
  ['empty', 0, { outcome: 'empty', message: 'gave an empty answer', costUsd: 0.00028 }],
  ['max-turns', 1, { outcome: 'failed', message: 'Reached maximum number of turns (2)' }],
  ['max-budget', 1, { outcome: 'failed', message: 'Reached maximum budget ($1)', costUsd: 1 }],
  [
    'SIGTERM-bash',
    143,
    { outcome: 'failed', message: 'ended without a result (exited with 143)', costUsd: null, tokens: null },
  ],
  ['err-401', 1, { outcome: 'not-logged-in', message: 'Invalid API key · Fix external API key', fix: login }],
  ['err-403', 1, { outcome: 'not-logged-in', message: 'Failed to authenticate. API Error: 403 no access', fix: login }],
  ['err-nokey', 1, { outcome: 'not-logged-in', message: 'Not logged in · Please run /login', fix: login }],
  [
    'err-credit',
    1,
    { outcome: 'not-logged-in', message: 'Credit balance is too low', fix: expect.stringContaining('credit') },
  ],
  ['err-429', 1, { outcome: 'overloaded', message: expect.stringContaining('Request rejected (429)') }],
  ['err-429-unified', 1, { outcome: 'overloaded' }],
  ['err-529', 1, { outcome: 'overloaded', message: expect.stringContaining('529 Overloaded') }],
  ['err-connection', 1, { outcome: 'overloaded', message: expect.stringContaining('ECONNREFUSED') }],
  ['err-model', 1, { outcome: 'failed', fix: 'choose another model with --model' }],
  ['refusal', 1, { outcome: 'failed', message: expect.stringContaining('safeguards flagged this message') }],
  [
    'usage-limit',
    1,
    {
      outcome: 'usage-limit',
      message: "You've hit your 5-hour limit · resets 6:57am (UTC)",
      resetsAt: Date.UTC(2026, 10, 16, 6, 57, 11),
    },
  ],
  ['weekly-limit', 1, { outcome: 'usage-limit', resetsAt: Date.UTC(2026, 10, 20, 6, 57, 12) }],
]

describe('a recorded run of Claude Code', () => {
  it.each(runs)('%s with exit code %d is understood', (file, exitCode, { costUsd, ...expected }) => {
    const { report } = read(file, exited(exitCode))
    expect(report).toMatchObject(expected)
    if (typeof costUsd === 'number') expect(report.costUsd).toBeCloseTo(costUsd, 10)
  })

  it('that was interrupted exits with 0 and is no success', () => {
    expect(read('SIGINT-bash', exited(0)).report.outcome).toBe('failed')
    expect(read('SIGINT-bash', { ...exited(0), cause: 'aborted' }).report.outcome).toBe('interrupted')
  })

  it('counts the tokens of subagents and of all turns', () => {
    expect(read('subagent').report.tokens).toEqual({ input: 22, output: 60, cacheRead: 11_600, cacheWrite: 10_000 })
    expect(read('bg-at-end').report).toMatchObject({ costUsd: 0.000_42, tokens: { input: 30, output: 15 } })
  })

  it('shows its tools, their ends and its words in order', () => {
    expect(read('plugindir-tools').notices).toEqual([
      { kind: 'agent.ready', model: 'claude-opus-5-5', version: '2.1.325' },
      { kind: 'agent.text', text: 'I will write a file.' },
      { kind: 'agent.tool.started', id: expect.any(String), verb: 'Write', target: '/home/dev/project/a.txt' },
      { kind: 'agent.tool.ended', id: expect.any(String), ok: true, output: expect.stringContaining('created') },
      { kind: 'agent.tool.started', id: 'toolu_c8a626d2108fdc0a8c187032', verb: 'Bash', target: 'echo hi; ls' },
      {
        kind: 'agent.tool.started',
        id: 'toolu_2e6d2bfbcf213f0919422338',
        verb: 'Read',
        target: expect.stringContaining('nope'),
      },
      {
        kind: 'agent.tool.ended',
        id: 'toolu_2e6d2bfbcf213f0919422338',
        ok: false,
        output: expect.stringContaining('not exist'),
      },
      { kind: 'agent.tool.ended', id: 'toolu_c8a626d2108fdc0a8c187032', ok: true, output: 'hi\na.txt' },
      { kind: 'agent.text', text: 'Done.' },
    ])
  })

  it('shows the tools of a subagent and not its words', () => {
    const shown = read('subagent').notices.map((notice) =>
      'text' in notice ? notice.text : 'target' in notice ? notice.target : '',
    )
    expect(shown.filter((text) => text !== '')).toEqual(['calling', 'sub', 'echo in-sub', 'main done'])
  })

  it('is said to be ready once, though every turn begins with an init line', () => {
    expect(read('bg-at-end').notices.filter(({ kind }) => kind === 'agent.ready')).toHaveLength(1)
  })

  it.each([
    ['err-529-fallback', 'the API answered with error 529; tries again in 1 s (2 of 10)'],
    ['err-529-fallback', 'Switched to Sonnet 5.5 due to high demand for Opus 5.5'],
    ['compact-100k', 'compacts its context'],
    ['post-ctx', 'PostToolUse:Bash says: SYSMSG-POST'],
    ['limit-warning', '91 % of the five hour limit are used'],
    ['err-nokey', 'Not logged in · Please run /login'],
    ['bg-at-end', 'has finished and waits for what it left in the background: x'],
  ])('%s remarks: %s', (file, text) => {
    expect(read(file).notices).toContainEqual({ kind: 'agent.remark', text })
  })
})

const says = (text: string, more: object = {}) => ({
  type: 'assistant',
  message: { id: 'm', model: 'claude-opus-5-5', content: [{ type: 'text', text }] },
  parent_tool_use_id: null,
  ...more,
})
const result = (more: object = {}) => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  total_cost_usd: 1,
  ...more,
})
const reportOf = (lines: readonly unknown[], exit: AgentExit = exited(0)) =>
  play(new ClaudeReader(claudeDialect(null)), [ndjson(...lines)], exit).report

describe('ClaudeReader', () => {
  it('takes the words of Claude Code itself for no words of the assistant', () => {
    const own = {
      message: { id: 'm', model: '<synthetic>', content: [{ type: 'text', text: '<promise>X</promise>' }] },
    }
    expect(reportOf([says('', own), result()])).toMatchObject({ outcome: 'empty', promises: [] })
  })

  it('takes a result with words in it for an answer, and no tag from it', () => {
    const words = { result: 'Done. <promise>COMPLETE</promise>' }
    expect(reportOf([result(words)])).toMatchObject({ outcome: 'succeeded', promises: [] })
    expect(reportOf([result({ result: ' ' })])).toMatchObject({ outcome: 'empty' })
  })

  it('takes no tag from a subagent, whatever its parent is called', () => {
    for (const parent of ['toolu_1', '', 0, false, {}]) {
      expect(
        reportOf([says('<promise>X</promise>', { parent_tool_use_id: parent }), says('ok'), result()]).promises,
      ).toEqual([])
    }
  })

  it('53 rate-limit-text-in-success: an agent that talks of a limit has still succeeded', () => {
    const text = "You've hit your 5-hour limit · resets 2:27am (UTC)"
    expect(reportOf([says(text), result({ result: text })])).toMatchObject({ outcome: 'succeeded', resetsAt: null })
  })

  it('takes a limit that turned a request away for no trouble, if the run succeeded after all', () => {
    const event = { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: 1_794_812_231 } }
    expect(reportOf([event, says('ok'), result()]).outcome).toBe('succeeded')
  })

  it('knows a limit from its event alone, when no result came', () => {
    const event = { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: 1_794_812_231 } }
    expect(reportOf([event], exited(1))).toMatchObject({ outcome: 'usage-limit', resetsAt: 1_794_812_231_000 })
  })

  it.each([-1, 0, 1e15, '1794812231', null])('does not believe a reset at %j', (resetsAt) => {
    const event = { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt } }
    expect(reportOf([event], exited(1))).toMatchObject({ outcome: 'usage-limit', resetsAt: null })
  })

  it('forgets a limit that was lifted', () => {
    const event = (status: string) => ({ type: 'rate_limit_event', rate_limit_info: { status } })
    expect(reportOf([event('rejected'), event('allowed')], exited(1)).outcome).toBe('failed')
  })

  it('says nothing of a background that has ended, and is not disturbed by one that is none', () => {
    const background = (tasks: unknown) => ({ type: 'system', subtype: 'background_tasks_changed', tasks })
    for (const tasks of [[], null, 'x', [1]]) {
      const lines = [background([{ description: 'a server' }]), background(tasks), says('ok'), result()]
      const { notices } = play(new ClaudeReader(claudeDialect(null)), [ndjson(...lines)])
      expect(notices).toEqual([{ kind: 'agent.text', text: 'ok' }])
    }
  })

  it('takes the last of several results', () => {
    const failed = result({ subtype: 'error_during_execution', is_error: true, errors: ['broke'], total_cost_usd: 3 })
    expect(reportOf([says('ok'), failed, result()])).toMatchObject({ outcome: 'succeeded', costUsd: 1 })
    expect(reportOf([says('ok'), result(), failed])).toMatchObject({ outcome: 'failed', message: 'broke', costUsd: 3 })
  })

  it.each([-1, '1', null, undefined])('does not believe a cost of %j', (cost) => {
    expect(reportOf([says('ok'), result({ total_cost_usd: cost })]).costUsd).toBeNull()
  })

  it('counts only what is a number of tokens', () => {
    const modelUsage = {
      a: { inputTokens: 1, outputTokens: -5, cacheReadInputTokens: 1.5 },
      b: { inputTokens: 2 },
      c: null,
    }
    expect(reportOf([says('ok'), result({ modelUsage })]).tokens).toEqual({
      input: 3,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
    })
    const usage = { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 3, cache_creation_input_tokens: 4 }
    expect(reportOf([says('ok'), result({ usage })]).tokens).toEqual({
      input: 1,
      output: 2,
      cacheRead: 3,
      cacheWrite: 4,
    })
    expect(reportOf([says('ok'), result()]).tokens).toBeNull()
  })

  it('reads lines with another order of keys and with spaces', () => {
    const text =
      '{ "parent_tool_use_id": null, "message": {"content": [{"text": "hi", "type": "text"}]}, "type": "assistant" }'
    const reader = new ClaudeReader(claudeDialect(null))
    expect(reader.line(Buffer.from(text))).toEqual([{ kind: 'agent.text', text: 'hi' }])
  })

  it('shows a list of things to do', () => {
    const todos = [{ content: 'a', status: 'completed' }, { content: 'b', status: 'in_progress' }, { content: 'c' }, 7]
    const content = [{ type: 'tool_use', id: 't', name: 'TodoWrite', input: { todos } }]
    const [, todo] = new ClaudeReader(claudeDialect(null)).line(ndjson({ type: 'assistant', message: { content } }))
    expect(todo).toEqual({
      kind: 'agent.todo',
      items: [
        { text: 'a', state: 'completed' },
        { text: 'b', state: 'in_progress' },
        { text: 'c', state: 'pending' },
      ],
    })
  })

  it('holds what is open: a call until its result, however it comes', () => {
    const reader = new ClaudeReader(claudeDialect(null))
    const call = (id: string, message: string) =>
      reader.line(
        ndjson({ type: 'assistant', message: { id: message, content: [{ type: 'tool_use', id, name: 'Bash' }] } }),
      )
    const ended = (id: string) =>
      reader.line(
        ndjson({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: id, content: '' }] } }),
      )
    expect(reader.isToolOpen()).toBe(false)
    call('a', 'm1')
    call('b', 'm1')
    ended('a')
    expect(reader.isToolOpen()).toBe(true)
    ended('b')
    expect(reader.isToolOpen()).toBe(false)
    call('c', 'm2')
    reader.line(
      Buffer.from('{"type":"user","message":{"content":[{"type":"tool_result","content":"a line that was cut o'),
    )
    expect(reader.isToolOpen()).toBe(true)
    reader.line(ndjson(says('so the result was lost')))
    expect(reader.isToolOpen()).toBe(false)
  })

  it('keeps nothing of what was said but the contents of tags', () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const heap = (): number => {
      collect()
      return process.memoryUsage().heapUsed
    }
    const reader = new ClaudeReader(claudeDialect(null))
    const line = ndjson(says(`${'x'.repeat(500_000)}<promise>longer than a short string</promise>`))
    const before = heap()
    for (let n = 0; n < 50; n++) reader.line(line)
    expect(heap() - before).toBeLessThan(5e6)
    expect(reader.end(exited(0)).promises).toHaveLength(50)
  })
})

describe('the plugin of ours', () => {
  const withPlugin = (file: string, pluginDir: string | null) => {
    const reader = new ClaudeReader(claudeDialect(pluginDir))
    const { report } = play(reader, [recorded(`claude/${file}`)])
    return { mustEnd: reader.mustEnd(), report }
  }

  it('is proven by the init line', () => {
    expect(withPlugin('plugin-loaded', '/home/dev/plug')).toMatchObject({
      mustEnd: null,
      report: { outcome: 'succeeded' },
    })
  })

  it.each([
    [
      'is loaded from elsewhere',
      'plugin-loaded',
      '/opt/ralph',
      "Claude Code has not loaded Ralph's plugin from /opt/ralph",
    ],
    ['is not there', 'stream', '/home/dev/plug', "Claude Code has not loaded Ralph's plugin from /home/dev/plug"],
    ['has no hooks', 'plugin-broken', '/home/dev/plugbad', "Ralph's plugin was not loaded: Hook load failed"],
  ])('that %s ends the run', (_, file, pluginDir, reason) => {
    const { mustEnd, report } = withPlugin(file, pluginDir)
    expect(mustEnd).toContain(reason)
    expect(report).toMatchObject({ outcome: 'unavailable', message: mustEnd })
    expect(report.fix).toBeTruthy()
  })

  it('is why a run was ended, also when the runner ended it for that', () => {
    const reader = new ClaudeReader(claudeDialect('/opt/ralph'))
    const { report } = play(reader, [recorded('claude/stream')], { ...exited(0), cause: 'aborted', exitCode: 143 })
    expect(report.outcome).toBe('unavailable')
  })

  it('stays missing, whatever a later turn says', () => {
    const reader = new ClaudeReader(claudeDialect('/home/dev/plug'))
    play(reader, [recorded('claude/stream'), recorded('claude/plugin-loaded')])
    expect(reader.mustEnd()).toContain('has not loaded')
  })

  it('is not asked for where there is none', () => {
    expect(withPlugin('stream', null).mustEnd).toBeNull()
  })
})
