import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../src/base/json.ts'
import { readTranscriptLine } from '../../../../src/hooks/context/transcript-line.ts'
import { assistantLine, boundaryLine, otherLine, resultLine } from '../../../support/transcript.ts'

const read = readTranscriptLine
const changed = (text: string, change: (line: JsonObject) => void): string => {
  const line = JSON.parse(text) as JsonObject
  change(line)
  return JSON.stringify(line)
}
const message = (line: JsonObject): JsonObject => line['message'] as JsonObject

describe('readTranscriptLine', () => {
  it('adds up what one request had and what came out', () => {
    const line = assistantLine({ input: 1, cacheWrite: 20, cacheRead: 300, output: 4000, message: 'msg_7' })
    expect(read(line)).toEqual({ kind: 'usage', tokens: 4321, model: 'claude-sonnet-4-5', message: 'msg_7' })
  })

  it('takes the model that was asked for, which alone tells the larger window', () => {
    const line = assistantLine({ requestedModel: 'claude-sonnet-4-5[1m]' })
    expect(read(line)).toMatchObject({ model: 'claude-sonnet-4-5[1m]' })
    expect(read(changed(line, (it) => delete it['requestedModel']))).toMatchObject({ model: 'claude-sonnet-4-5' })
  })

  it.each([
    ['a subagent', assistantLine({ isSidechain: true })],
    ['an error of the API', assistantLine({ model: '<synthetic>' })],
    ['no tokens at all', assistantLine({ input: 0, output: 0 })],
    ['the result of a tool', resultLine('x')],
    ['bookkeeping', otherLine()],
    ['nothing', ''],
    ['half a line', assistantLine({}).slice(0, -30)],
    ['the other half', assistantLine({}).slice(40)],
    ['a list', `[${assistantLine({}).trim()}]`],
    ['a message that is a text', changed(assistantLine({}), (it) => (it['message'] = '"assistant" "usage"'))],
    ['usage that is a number', changed(assistantLine({}), (it) => (message(it)['usage'] = 5))],
    ['words about a compaction', resultLine('"compact_boundary"')],
    ['a depth that nobody needs', assistantLine({}).replace('[{', `${'['.repeat(5000)}{`)],
  ])('hears nothing in %s', (_, line) => {
    expect(read(line)).toBeNull()
  })

  it.each([[-5], [1.5], ['7'], [null], [1e300], [true]])('takes %j for no amount', (value) => {
    const line = changed(assistantLine({ input: 5, output: 2 }), (it) => {
      ;(message(it)['usage'] as JsonObject)['input_tokens'] = value
    })
    expect(read(line)).toMatchObject({ tokens: 2 })
  })

  it('hears of a compaction, and what is left', () => {
    expect(read(boundaryLine(2704))).toEqual({ kind: 'compacted', tokens: 2704 })
    expect(read(boundaryLine())).toEqual({ kind: 'compacted', tokens: null })
  })
})
