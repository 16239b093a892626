import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeRecord, encodeRecord } from '../../../src/journal/record.ts'
import type { Event } from '../../../src/model/event.ts'
import { anyEvent } from '../../support/any-event.ts'
import { runEvents, runStarted, runStopped } from '../../support/events.ts'

const at = '2026-11-01T12:00:00.000Z'
const encode = (event: Event, seq = 1): Buffer => encodeRecord(event, seq, at)
const decode = (line: Buffer, seq = 1): unknown => decodeRecord(line.subarray(0, -1), seq)

/** A line with a right checksum and whatever body. */
const sealed = (body: string): Buffer => {
  const crc = crc32(body).toString(16).padStart(8, '0')
  return Buffer.from(`${body.slice(0, -1)},"crc":"${crc}"}\n`)
}

describe('a record', () => {
  it('is one line that any JSON reader can take, with the checksum of the rest last', () => {
    const line = encode({ kind: 'wait.started', reason: 'ä', until: null }, 7).toString()
    const body = `{"seq":7,"at":"${at}","kind":"wait.started","reason":"ä","until":null}`
    expect(line).toBe(`${body.slice(0, -1)},"crc":"${crc32(body).toString(16).padStart(8, '0')}"}\n`)
    expect(JSON.parse(line)).toMatchObject({
      seq: 7,
      kind: 'wait.started',
      crc: expect.stringMatching(/^[0-9a-f]{8}$/) as string,
    })
  })

  it.each(runEvents(1).map((event) => [event.kind, event] as const))('of %s comes back as it was', (_, event) => {
    expect(decode(encode(event))).toEqual({ ok: true, value: { ...event, seq: 1, at } })
  })

  it('of any event comes back as it was, on one line', () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        const line = encode(event)
        expect(line.indexOf(0x0a)).toBe(line.length - 1)
        // Through JSON, as lone surrogates and -0 are written the way JSON can.
        expect(decode(line)).toEqual({
          ok: true,
          value: { ...(JSON.parse(JSON.stringify(event)) as Event), seq: 1, at },
        })
      }),
    )
  })

  it('of another number is refused', () => {
    expect(decode(encode(runStarted, 3), 2)).toEqual({ ok: false, error: 'record 3 where 2 should be' })
  })

  it('with any one byte changed is refused', () => {
    const line = encode(runStopped)
    for (let index = 0; index < line.length - 1; index++) {
      for (const flip of [1, 0x20, 0x80, 0xff]) {
        const damaged = Buffer.from(line)
        damaged[index] = (damaged[index] ?? 0) ^ flip
        expect(decodeRecord(damaged.subarray(0, -1), 1).ok, `byte ${index} ^ ${flip}`).toBe(false)
      }
    }
  })

  it.each<[string, string | Buffer, string]>([
    ['an empty line', '\n', 'the line is not a record'],
    ['zeros', Buffer.concat([Buffer.alloc(80), Buffer.from('\n')]), 'the checksum does not match'],
    ['a list', sealed('["a","b","c"]'), 'the checksum does not match'],
    ['a kind that nobody knows', sealed(`{"seq":1,"at":"${at}","kind":"run.exploded"}`), 'unknown kind "run.exploded"'],
    ['a kind that every object has', sealed(`{"seq":1,"at":"${at}","kind":"toString"}`), 'unknown kind "toString"'],
    ['no time', sealed('{"seq":1,"at":"soon","kind":"run.resumed","flags":{}}'), 'the record has no time'],
    [
      'a field that is missing',
      sealed(`{"seq":1,"at":"${at}","kind":"run.resumed"}`),
      'run.resumed without a proper "flags"',
    ],
    [
      'an outcome that nobody knows',
      sealed(
        `{"seq":1,"at":"${at}","kind":"stories.moved","iteration":1,"moves":[{"story":"a","to":"done","by":"agent"}]}`,
      ),
      'stories.moved without a proper "moves"',
    ],
    [
      'a key that reaches into prototypes',
      sealed(`{"seq":1,"at":"${at}","kind":"run.resumed","flags":{"__proto__":{}}}`),
      '"__proto__"',
    ],
    [
      'a bomb',
      sealed(`{"seq":1,"at":"${at}","kind":"run.resumed","flags":{"a":${'['.repeat(1000)}${']'.repeat(1000)}}}`),
      'nested deeper',
    ],
  ])('is not made of %s', (_, line, why) => {
    expect(decode(Buffer.from(line))).toMatchObject({ ok: false, error: expect.stringContaining(why) as string })
  })

  it('may carry fields that a later version has added', () => {
    const line = sealed(`{"seq":1,"at":"${at}","kind":"run.resumed","flags":{},"host":"x"}`)
    expect(decode(line)).toMatchObject({ ok: true, value: { kind: 'run.resumed', host: 'x' } })
  })
})
