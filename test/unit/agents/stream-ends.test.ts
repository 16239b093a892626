import { describe, expect, it } from 'vitest'
import { builtAgents } from '../../../src/agents/registry.ts'
import { exited, ndjson, play, someRequest, type Played } from '../../support/play-stream.ts'

const reader = (name: string) => {
  const agent = builtAgents.find((candidate) => candidate.name === name)
  if (agent === undefined) throw new Error(`no agent ${name}`)
  return agent.read(someRequest)
}

const run = (name: string, lines: readonly unknown[], exit = exited(0)): Played =>
  play(reader(name), [ndjson(...lines)], exit)

const isOpenAfter = (name: string, ...lines: readonly unknown[]): boolean => {
  const one = reader(name)
  for (const line of lines) one.line(ndjson(line))
  return one.isToolOpen()
}

describe('copilot', () => {
  const says = { type: 'assistant.message', data: { content: 'ok' } }
  const begins = { type: 'tool.execution_start', data: { toolCallId: 'c', toolName: 'bash', arguments: {} } }
  const ends = { type: 'result', exitCode: 0 }
  const error = { type: 'session.error', data: { message: 'Too many requests', statusCode: 429 } }

  it('has not succeeded when a call was open at its end: interrupted it says 0 too', () => {
    expect(run('copilot', [says, begins, ends]).report).toMatchObject({
      outcome: 'failed',
      message: 'ended in the middle of a tool call',
    })
  })

  it('has not succeeded when it says so itself', () => {
    expect(run('copilot', [says, { ...ends, exitCode: 2 }]).report.message).toBe('said that it ends with 2')
  })

  it('may get over an error', () => {
    const turn = { type: 'assistant.turn_start', data: {} }
    expect(run('copilot', [error, turn, says, ends]).report.outcome).toBe('succeeded')
    expect(run('copilot', [says, error, ends]).report.outcome).toBe('overloaded')
  })

  it('does not speak where a subagent does', () => {
    const subagent = { ...says, data: { content: '<promise>COMPLETE</promise>', parentToolCallId: 'c' } }
    expect(run('copilot', [subagent, says, ends]).report.promises).toEqual([])
  })

  it('has a call open from its start to its end', () => {
    expect(isOpenAfter('copilot', begins)).toBe(true)
    expect(isOpenAfter('copilot', begins, { type: 'tool.execution_complete', data: { toolCallId: 'c' } })).toBe(false)
  })
})

describe('opencode', () => {
  const begins = { type: 'step_start', part: {} }
  const says = { type: 'text', part: { text: 'ok' } }
  const ends = (reason: string) => ({
    type: 'step_finish',
    part: { reason, cost: 0.5, tokens: { input: 1, output: 2 } },
  })
  const error = (headers: object) => ({
    type: 'error',
    error: { name: 'APIError', data: { message: 'slow down', statusCode: 429, responseHeaders: headers } },
  })

  it.each(['length', 'content-filter', 'tool-calls'])(
    'has not succeeded when its last step ended with %s',
    (reason) => {
      expect(run('opencode', [begins, says, ends(reason)]).report).toMatchObject({
        outcome: 'failed',
        message: `ended with ${reason}`,
      })
    },
  )

  it('has not succeeded in the middle of a step', () => {
    expect(run('opencode', [begins, says, ends('stop'), begins]).report.outcome).toBe('failed')
  })

  it('adds up what its steps cost', () => {
    const { report } = run('opencode', [begins, says, ends('tool-calls'), begins, says, ends('stop')])
    expect(report).toMatchObject({
      outcome: 'succeeded',
      costUsd: 1,
      tokens: { input: 2, output: 4, cacheRead: 0, cacheWrite: 0 },
    })
  })

  it('waits as long as the service says', () => {
    const after = (seconds: string) => run('opencode', [error({ 'retry-after': seconds })], exited(1)).report
    expect(after('3600')).toMatchObject({ outcome: 'usage-limit', resetsAt: exited(1).endedAt + 3_600_000 })
    for (const seconds of ['1', '', 'Mon, 16 Nov 2026 01:03:28 GMT']) expect(after(seconds).outcome).toBe('overloaded')
  })

  it('may be in a call as long as a step is open, since it tells of calls when they are over', () => {
    expect(isOpenAfter('opencode', begins, says)).toBe(true)
    expect(isOpenAfter('opencode', begins, says, ends('stop'))).toBe(false)
  })
})

describe('pi', () => {
  const says = (stopReason: string, more: object = {}) => ({
    type: 'message_end',
    message: { role: 'assistant', content: [{ type: 'text', text: 'ok' }], stopReason, ...more },
  })
  const ends = { type: 'agent_end', messages: [] }

  it.each(['length', 'toolUse'])('has not succeeded when its last message ended with %s', (stopReason) => {
    expect(run('pi', [says(stopReason), ends]).report.message).toBe(`ended with ${stopReason}`)
  })

  it('may get over an error', () => {
    const failed = says('error', { errorMessage: '429 slow down' })
    const again = [{ type: 'agent_start' }, says('stop')]
    expect(run('pi', [failed, ends, ...again, ends]).report.outcome).toBe('succeeded')
    expect(run('pi', [failed, ends, ...again]).report.outcome).toBe('failed')
    expect(run('pi', [says('stop'), failed, ends]).report.outcome).toBe('overloaded')
  })

  it('is over also when the last line has so much in it that it was cut', () => {
    const one = reader('pi')
    one.line(ndjson(says('stop')))
    one.line(Buffer.from(`{"type":"agent_end","messages":["${'x'.repeat(9 * 1024 * 1024)}`))
    expect(one.end(exited(0)).outcome).toBe('succeeded')
  })
})

describe('droid', () => {
  const says = { type: 'message', role: 'assistant', text: 'ok' }
  const error = { type: 'error', message: 'Error: 429 slow down' }

  it('may get over an error, and says what it was when it does not', () => {
    expect(run('droid', [error, says, { type: 'completion' }]).report.outcome).toBe('succeeded')
    expect(run('droid', [says, error]).report).toMatchObject({ outcome: 'overloaded', message: '429 slow down' })
    expect(run('droid', [says, error, { type: 'completion', isError: true }]).report.outcome).toBe('overloaded')
  })
})

describe('codex', () => {
  it('cannot be started by a program that does not know an option', () => {
    const exit = exited(2, "error: unexpected argument '--full-auto' found\n\nUsage: codex exec [OPTIONS]\n")
    const expected = { outcome: 'unavailable', message: "error: unexpected argument '--full-auto' found" }
    expect(run('codex', [], exit).report).toMatchObject(expected)
    expect(run('codex', [{ type: 'turn.started' }], exit).report.outcome).toBe('failed')
  })
})

describe('gemini', () => {
  const piece = (content: string) => ({ type: 'message', role: 'assistant', content, delta: true })
  const says = piece('ok')

  it('has not succeeded without its last line, whatever its exit code', () => {
    expect(run('gemini', [says]).report).toMatchObject({
      outcome: 'failed',
      message: expect.stringContaining('exited with 0'),
    })
  })

  it('shows its words line by line, and the rest before a call', () => {
    const pieces = ['one\ntw', 'o ', 'words'].map((content) => piece(content))
    const { notices } = run('gemini', [...pieces, { type: 'tool_use', tool_name: 'ls', tool_id: 't' }, piece('x')])
    expect(notices).toEqual([
      { kind: 'agent.text', text: 'one' },
      { kind: 'agent.text', text: 'two words' },
      { kind: 'agent.tool.started', id: 't', verb: 'LS', target: '' },
    ])
  })
})

it.each(builtAgents.filter(({ program }) => program !== null).map(({ name }) => [name]))(
  '%s that begins a thousand calls and ends none is still read',
  (name) => {
    const flood = Array.from({ length: 5000 }, (_, n) => [
      { type: 'tool_use', tool_name: 'x', tool_id: `${n}`, part: { tool: 'x', callID: `${n}`, state: {} } },
      { type: 'tool_call', subtype: 'started', id: `${n}`, call_id: `${n}`, toolName: 'x', tool_call: { x: {} } },
      { type: 'tool.execution_start', data: { toolName: 'x', toolCallId: `${n}` } },
      { type: 'tool_execution_start', toolName: 'x', toolCallId: `${n}` },
    ]).flat()
    expect(run(name, flood).report.outcome).not.toBe('succeeded')
  },
)
