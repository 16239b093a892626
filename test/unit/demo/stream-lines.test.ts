import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/base/json.ts'
import { streamLines } from '../../../src/demo/stream-lines.ts'

const parse = (line: string) => JSON.parse(line) as JsonObject

describe('the stream of the scripted agent', () => {
  const lines = streamLines('s-1')

  it('begins as that of Claude Code does', () => {
    expect(parse(lines.start('/project'))).toMatchObject({
      type: 'system',
      subtype: 'init',
      cwd: '/project',
      model: 'scripted',
      session_id: 's-1',
    })
  })

  it('is one line for each thing, whatever is in the text', () => {
    expect(lines.text('a\nb\u2028c')).not.toContain('\n')
    expect(parse(lines.text('a\nb'))).toMatchObject({
      type: 'assistant',
      message: { role: 'assistant', content: [{ type: 'text', text: 'a\nb' }] },
    })
  })

  it('joins a call and its result', () => {
    expect(parse(lines.call(3, { name: 'Bash', input: { command: 'node --test' } }))).toMatchObject({
      message: { content: [{ type: 'tool_use', id: 'toolu_3', name: 'Bash', input: { command: 'node --test' } }] },
    })
    expect(parse(lines.result(3, false, 'it failed'))).toMatchObject({
      type: 'user',
      message: { content: [{ type: 'tool_result', tool_use_id: 'toolu_3', content: 'it failed', is_error: true }] },
    })
  })

  it('ends with a result that cost nothing', () => {
    expect(parse(lines.end('done', true, 12.4))).toMatchObject({
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'done',
      duration_ms: 12,
      total_cost_usd: 0,
    })
    expect(parse(lines.end('why', false, 1))).toMatchObject({ subtype: 'error_during_execution', is_error: true })
  })
})
