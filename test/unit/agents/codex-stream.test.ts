import { describe, expect, it } from 'vitest'
import type { AgentExit, AgentReport } from '../../../src/agents/agent.ts'
import { CodexReader } from '../../../src/agents/codex-stream.ts'
import { exited, ndjson, play, recorded } from '../../support/play-stream.ts'

const read = (file: string, exit: AgentExit = exited(0)) => play(new CodexReader(), [recorded(`codex/${file}`)], exit)

const runs: readonly (readonly [file: string, exitCode: number, expected: Partial<AgentReport>])[] = [
  ['full', 0, { outcome: 'succeeded', promises: ['COMPLETE'], costUsd: null }],
  ['workspace-write', 0, { outcome: 'succeeded', promises: ['COMPLETE'] }],
  [
    'err-auth',
    1,
    { outcome: 'not-logged-in', message: expect.stringContaining('401'), fix: expect.stringContaining('codex login') },
  ],
  ['err-badreq', 1, { outcome: 'failed', message: expect.stringContaining('gpt-x does not exist') }],
  ['err-ctxlen', 1, { outcome: 'failed', message: expect.stringContaining('context window') }],
  ['err-e500', 1, { outcome: 'overloaded' }],
  ['err-quota', 1, { outcome: 'not-logged-in', fix: expect.stringContaining('credit') }],
  ['err-ratelimit', 1, { outcome: 'overloaded' }],
  ['err-sserl', 1, { outcome: 'overloaded' }],
  ['err-usagelimit', 1, { outcome: 'usage-limit', resetsAt: expect.any(Number) }],
  ['sigTERM', 143, { outcome: 'failed', message: 'ended in the middle of a turn (exited with 143)', tokens: null }],
]

describe('a recorded run of codex', () => {
  it.each(runs)('%s with exit code %d is understood', (file, exitCode, expected) => {
    expect(read(file, exited(exitCode)).report).toMatchObject(expected)
  })

  it('counts what was cached apart from the input', () => {
    expect(read('full').report.tokens).toEqual({ input: 1200, output: 204, cacheRead: 6000, cacheWrite: 0 })
  })

  it('shows its steps, commands, files and words in order', () => {
    const todo = (done: boolean) => ({
      kind: 'agent.todo',
      items: [
        { text: 'Look around', state: done ? 'completed' : 'in_progress' },
        { text: 'Write file', state: done ? 'in_progress' : 'pending' },
      ],
    })
    expect(read('full').notices).toEqual([
      todo(false),
      { kind: 'agent.text', text: 'I will look around first.' },
      { kind: 'agent.tool.started', id: 'item_3', verb: 'Bash', target: 'echo hello; ls -la' },
      { kind: 'agent.tool.ended', id: 'item_3', ok: true, output: expect.stringContaining('hello\ntotal 20') },
      todo(true),
      { kind: 'agent.tool.started', id: 'item_4', verb: 'Edit', target: '/home/dev/project/hello-1794790052468.txt' },
      { kind: 'agent.tool.ended', id: 'item_4', ok: true, output: '' },
      { kind: 'agent.tool.started', id: 'item_5', verb: 'Bash', target: 'cat nosuchfile' },
      { kind: 'agent.tool.ended', id: 'item_5', ok: false, output: expect.stringContaining('No such file') },
      { kind: 'agent.text', text: 'All done.\n<promise>COMPLETE</promise>' },
      todo(true),
    ])
  })

  it('remarks that it tries again', () => {
    expect(read('err-ratelimit').notices[0]).toEqual({
      kind: 'agent.remark',
      text: 'Reconnecting... 1/1 (exceeded retry limit, last status: 429 Too Many Requests)',
    })
  })
})

describe('CodexReader', () => {
  const item = (more: object) => ({ type: 'item.completed', item: { id: 'i', ...more } })
  const notices = (...values: readonly unknown[]) => play(new CodexReader(), [ndjson(...values)]).notices

  it('has a command open until it ends', () => {
    const reader = new CodexReader()
    const command = { id: 'i', type: 'command_execution', command: 'ls' }
    reader.line(ndjson({ type: 'item.started', item: command }))
    expect(reader.isToolOpen()).toBe(true)
    reader.line(ndjson({ type: 'item.completed', item: { ...command, exit_code: 0 } }))
    expect(reader.isToolOpen()).toBe(false)
  })

  it('shows a call that is only told when it is over', () => {
    expect(notices(item({ type: 'web_search', query: 'ralph' })).map(({ kind }) => kind)).toEqual([
      'agent.tool.started',
      'agent.tool.ended',
    ])
  })

  it.each([
    ["/bin/bash -lc 'echo hello'", 'echo hello'],
    ["bash -c 'echo hello'", 'echo hello'],
    [String.raw`/usr/bin/zsh -lc 'echo '\''x'\'''`, "echo 'x'"],
    ['python3 x.py', 'python3 x.py'],
    ["/bin/bash -lc 'open", "/bin/bash -lc 'open"],
  ])('shows %s as %s', (command, target) => {
    expect(notices(item({ type: 'command_execution', command }))[0]).toMatchObject({ verb: 'Bash', target })
  })

  it('takes a turn that failed after one that was completed for the last word', () => {
    const failed = { type: 'turn.failed', error: { message: 'broke' } }
    const said = item({ type: 'agent_message', text: 'ok' })
    const { report } = play(new CodexReader(), [
      ndjson(said, { type: 'turn.completed' }, { type: 'turn.started' }, failed),
    ])
    expect(report).toMatchObject({ outcome: 'failed', message: 'broke' })
  })

  it('says of a run that never began what stderr says', () => {
    const { report } = play(new CodexReader(), [], exited(2, "error: unexpected argument '--full-auto' found\n"))
    expect(report).toMatchObject({ outcome: 'unavailable', message: "error: unexpected argument '--full-auto' found" })
  })

  it('waits for the end of the minute that a usage limit names: it resets at some second of it', () => {
    const failed = { type: 'turn.failed', error: { message: 'You’ve hit your usage limit. Try again at 11:47 PM.' } }
    const exit = { ...exited(1), endedAt: new Date(2026, 10, 16, 23, 47, 30).getTime() }
    const { report } = play(new CodexReader(), [ndjson(failed)], exit)
    expect(report).toMatchObject({ outcome: 'usage-limit', resetsAt: new Date(2026, 10, 16, 23, 48).getTime() })
  })

  describe('where its own sandbox cannot be made', () => {
    const command = (aggregated_output: string, exit_code: number) => ({
      type: 'item.completed',
      item: { id: 'item_1', type: 'command_execution', command: 'ls', aggregated_output, exit_code },
    })
    const failed = 'bwrap: Creating new namespace failed: Operation not permitted\n'
    const done = { type: 'turn.completed', usage: {} }

    function readSandboxed(...lines: readonly unknown[]) {
      const reader = new CodexReader({ sandboxed: true })
      const { report } = play(reader, [ndjson(...lines)])
      return { mustEnd: reader.mustEnd(), report }
    }

    it.each([
      failed,
      'bwrap: No permissions to creating new namespace, likely because the kernel does not allow it\n',
      'bwrap: setting up uid map: Permission denied\n',
      'bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted\n',
    ])('is ended at its first command and says why: %s', (output) => {
      const { mustEnd, report } = readSandboxed(command(output, 1), done)
      expect(mustEnd).toContain(`its own sandbox does not work on this machine: ${output.trim()}`.slice(0, 80))
      expect(report).toMatchObject({ outcome: 'unavailable', fix: expect.stringContaining('namespaces') })
    })

    it.each([
      ['a command that succeeds', [command(failed, 0)]],
      ['a later command', [command('fine', 0), command(failed, 1)]],
      ['other words', [command('make: *** bwrap: namespace', 2)]],
    ])('is not taken for it: %s', (_, lines) => {
      expect(readSandboxed(...lines, done)).toMatchObject({ mustEnd: null, report: { outcome: 'succeeded' } })
    })

    it('means nothing where it has none', () => {
      const reader = new CodexReader()
      play(reader, [ndjson(command(failed, 1), done)])
      expect(reader.mustEnd()).toBeNull()
    })
  })
})
