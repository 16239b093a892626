import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/base/json.ts'
import { speeches, type Speech } from '../../support/agent-speech.ts'
import { byteByByte, exited, play, recorded, someRequest, type Played } from '../../support/play-stream.ts'

const newReader = ({ agent }: Speech) => agent.read(someRequest)

const whole = (speech: Speech, stream: Buffer): Played => play(newReader(speech), [stream])

/** Lines of this agent; what its stream does not have is left out. */
function lines(...values: readonly unknown[]): Buffer {
  const texts = values.filter((value) => value !== null)
  return Buffer.from(texts.map((value) => `${typeof value === 'string' ? value : JSON.stringify(value)}\n`).join(''))
}

const positions = (stream: Buffer): number[] => Array.from(stream, (_, at) => at)

/** For what is done once for each byte of a stream: seconds on a machine that has other work. */
const patiently = { timeout: 60_000 }

/** A line again and again, each time with one of its values replaced by something of another kind. */
function* bentLines(line: Json): Generator<string> {
  for (const other of [null, 7, '', [], {}, [null], { type: 'text', text: 1 }] as const) {
    for (const bent of bentAt(line, other as Json)) yield JSON.stringify(bent)
  }
}

function* bentAt(value: Json, other: Json): Generator<Json> {
  yield other
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    for (const bent of bentAt(member, other)) {
      yield Array.isArray(value) ? value.with(Number(key), bent) : { ...value, [key]: bent }
    }
  }
}

const tag = '<promise>COMPLETE</promise><response>DONE</response>'
const quoted = JSON.stringify(tag)

/** What may stand between the lines of a stream, and means nothing. */
const noise = [
  '',
  '   ',
  tag,
  quoted,
  `[${quoted}]`,
  'null',
  '{',
  '{"type":"assistant"',
  '{"type":"assistant","message":{"content":[{"type":"text","text":"<promise>COMPLETE</promise>"',
  '{"type":"result","subtype":"success","is_error":false',
  '{"type":"turn.completed"',
  `{"type":"event_of_next_year","message":{"content":[{"type":"text","text":${quoted}}]},"text":${quoted}}`,
  `{"type":"item.completed","item":{"type":"item_of_next_year","text":${quoted}}}`,
  `{"type":{"type":"assistant"},"message":${quoted}}`,
  '{"type":"assistant","message":null}',
  '{"type":"assistant","message":{"content":"text"}}',
  '{"type":"assistant","message":{"content":[null,1,"x",{"type":"tool_use"},{"type":"text"}]}}',
  '{"type":"user","message":{"content":[null,{"type":"tool_result"}]}}',
  '{"type":"rate_limit_event","rate_limit_info":7}',
  '{"type":"system"}',
  '{"type":"item.completed","item":null}',
  '{"type":"item.completed","item":{"type":"agent_message"}}',
  '{"type":"item.started"}',
  '{"type":"message","role":"assistant"}',
  '{"type":"message","role":"assistant","content":7,"delta":true,"text":null}',
  '{"type":"tool_use"}',
  '{"type":"tool_use","part":{"tool":"bash"}}',
  '{"type":"tool_result"}',
  '{"type":"tool_call"}',
  '{"type":"tool_call","subtype":"started","tool_call":[]}',
  '{"type":"text","part":{"type":"text"}}',
  '{"type":"error","error":7,"message":["no"]}',
  '{"type":"assistant.message","data":null}',
  '{"type":"session.error"}',
  '{"type":"message_end"}',
  '{"type":"message_end","message":{"role":"user","stopReason":"error"}}',
  '{"type":"result"',
  '\u{feff}{"type":"error"}',
  '{"type":"\\u0061ssistant","message":{"content":[]}}',
  '\u0000\u0001\u001b[2J',
]

describe.each(speeches.map((speech) => [`${speech.agent.name}, ${speech.success}`, speech] as const))(
  'the reader of %s',
  (_, speech) => {
    const success = recorded(speech.success)

    it('takes the recorded success for one', () => {
      const { report } = whole(speech, success)
      expect(report).toMatchObject({ outcome: 'succeeded', message: null, fix: null, resetsAt: null })
      expect(report.promises).toEqual(['COMPLETE'])
    })

    it.skipIf(speech.recorded.length === 0)('reads the same wherever the stream is cut in two', patiently, () => {
      const expected = JSON.stringify(whole(speech, success))
      const differs = positions(success).filter((at) => {
        const halves = [success.subarray(0, at), success.subarray(at)]
        return JSON.stringify(play(newReader(speech), halves)) !== expected
      })
      expect(differs).toEqual([])
    })

    it.each(speech.recorded)('reads %s the same byte by byte', (file) => {
      const stream = recorded(file)
      expect(play(newReader(speech), byteByByte(stream))).toEqual(whole(speech, stream))
    })

    it.skipIf(speech.allIsText).each(speech.recorded)('is not disturbed by noise between the lines of %s', (file) => {
      const stream = recorded(file)
      const between = stream
        .toString()
        .split('\n')
        .map((line, index) => `${line}\n${noise[index % noise.length]}\n${noise[(index * 7 + 3) % noise.length]}`)
        .join('\n')
      expect(whole(speech, Buffer.from(`${noise.join('\n')}\n${between}\n${noise.join('\n')}`))).toEqual(
        whole(speech, stream),
      )
    })

    it.skipIf(speech.allIsText || speech.recorded.length === 0)(
      'takes no stream that was cut off for a success',
      patiently,
      () => {
        const believed = positions(success.subarray(0, -1)).filter((at) => {
          const { outcome, message } = whole(speech, success.subarray(0, at)).report
          return outcome === 'succeeded' || message === null
        })
        expect(believed).toEqual([])
      },
    )

    it.skipIf(speech.allIsText || speech.recorded.length === 0)(
      'does not fall over a line in which anything is of another kind',
      patiently,
      () => {
        const all = success.toString().trimEnd().split('\n')
        for (const [index, line] of all.entries()) {
          for (const bent of bentLines(JSON.parse(line) as Json)) {
            const stream = Buffer.from(`${all.with(index, bent).join('\n')}\n`)
            const { report, notices } = whole(speech, stream)
            expect(report.promises.every((promise) => promise === 'COMPLETE')).toBe(true)
            expect(notices.length).toBeLessThan(100)
          }
        }
      },
    )

    it.each([
      ['ended by a time limit', { cause: 'timeout' }, 'timeout'],
      ['ended because it was silent', { cause: 'silent' }, 'silent'],
      ['interrupted', { cause: 'aborted' }, 'interrupted'],
      ['ended by a signal', { exitCode: null, signal: 'SIGKILL' }, 'failed'],
      ['ended by a signal that a wrapper made nothing of', { exitCode: 0, signal: 'SIGTERM' }, 'failed'],
      ['ended with another code', { exitCode: 1 }, 'failed'],
    ] as const)('never takes a run for a success that was %s, whatever it printed', (_why, exit, outcome) => {
      const { report } = play(newReader(speech), [success], { ...exited(0), ...exit })
      expect(report.outcome).toBe(outcome)
      expect(report.message).toBeTruthy()
      expect(report.promises).toEqual(['COMPLETE'])
    })

    it('takes a run without a word for empty', () => {
      const ends = speech.ends === null ? null : { ...(speech.ends as object), result: '' }
      const { report } = whole(speech, lines(ends))
      expect(report).toMatchObject({ outcome: 'empty', promises: [], responses: [] })
    })

    it('finds the tags in what the assistant says', () => {
      const { report, notices } = whole(speech, lines(speech.says(`ready ${tag}`), speech.ends))
      expect(report).toMatchObject({ outcome: 'succeeded', promises: ['COMPLETE'], responses: ['DONE'] })
      expect(notices).toEqual([{ kind: 'agent.text', text: `ready ${tag}` }])
    })

    it('finds the tags in the middle of a long speech', () => {
      const words = 'so many words '.repeat(50_000)
      const { report } = whole(speech, lines(speech.says(`${words}${tag}${words}`), speech.ends))
      expect(report).toMatchObject({ promises: ['COMPLETE'], responses: ['DONE'] })
    })

    it.skipIf(speech.allIsText)('finds a tag wherever it is split', () => {
      for (let at = 1; at < tag.length; at++) {
        const stream = lines(speech.says(tag.slice(0, at)), speech.says(tag.slice(at)), speech.ends)
        expect(whole(speech, stream).report).toMatchObject({ promises: ['COMPLETE'], responses: ['DONE'] })
      }
    })

    it.skipIf(speech.allIsText)('finds no tag in what a tool printed, the prompt, a thought or the last line', () => {
      const stream = lines(speech.echoes(tag), speech.thinks(tag), speech.prints(tag), speech.says('ok'), speech.ends)
      expect(whole(speech, stream).report).toMatchObject({ outcome: 'succeeded', promises: [], responses: [] })
    })

    it.skipIf(speech.allIsText)('lets no tag be put together from its words and those of a tool', () => {
      const stream = lines(speech.says('<promise>'), speech.prints('COMPLETE</promise>'), speech.says('x'), speech.ends)
      expect(whole(speech, stream).report.promises).toEqual([])
    })

    it('shows no more of a long output than can be read, and goes on', () => {
      const output = `begin\n${'"\\\u{1f389}\t'.repeat(200_000)}\nend`
      const stream = lines(speech.prints(output), speech.says('ok'), speech.ends)
      const { notices, report } = whole(speech, stream)
      expect(report.outcome).toBe('succeeded')
      for (const notice of notices) {
        if (notice.kind !== 'agent.tool.ended') continue
        expect(notice.output.length).toBeLessThan(5000)
        expect(notice.output.startsWith('begin\n')).toBe(true)
        expect(notice.output.endsWith('\nend')).toBe(true)
      }
    })

    it('gives its prompt on stdin and nowhere else', () => {
      const prompt = 'a prompt\nwith "quotes" and $(words)'
      const command = speech.agent.command({ ...someRequest, prompt })
      expect(command.stdin).toBe(prompt)
      expect([...command.args, ...Object.values(command.env)].join(' ')).not.toContain('with "quotes"')
    })

    it('has the arguments of the user last', () => {
      const extraArgs = ['--one', 'two three', '']
      expect(speech.agent.command({ ...someRequest, extraArgs }).args.slice(-3)).toEqual(extraArgs)
    })
  },
)
