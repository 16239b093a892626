import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Redactor, redactText } from '../../../src/process/redactor.ts'

const key = 'sk-ant-0123456789'

/** All that comes out, and what came out after each piece. */
function redact(secrets: readonly string[], pieces: readonly string[]): { text: string; steps: string[] } {
  const redactor = new Redactor(secrets)
  const steps = pieces.map((piece) => redactor.push(Buffer.from(piece, 'latin1')).toString('latin1'))
  return { text: steps.join('') + redactor.end().toString('latin1'), steps }
}

describe('the redactor', () => {
  it('takes a key out wherever it stands, as often as it does', () => {
    expect(redact([key], [`${key} a ${key}${key}\n${key}`]).text).toBe('[redacted] a [redacted][redacted]\n[redacted]')
  })

  it('105 secret-split-over-chunks-redacted: wherever the pipe cuts it', () => {
    const text = `before ${key} after`
    for (let at = 0; at <= text.length; at++) {
      expect(redact([key], [text.slice(0, at), text.slice(at)]).text).toBe('before [redacted] after')
    }
    expect(redact([key], text.split('')).text).toBe('before [redacted] after')
  })

  it('holds nothing back but what may be the beginning of a key', () => {
    expect(redact([key], ['a line\n', 'and sk-ant', 'elope\n']).steps).toEqual(['a line\n', 'and ', 'sk-antelope\n'])
  })

  it('gives at the end what turned out to be nothing', () => {
    expect(redact([key], ['sk-ant-01'])).toEqual({ text: 'sk-ant-01', steps: [''] })
  })

  it('finds a key in JSON, in an address and in base64', () => {
    const secret = 'p@ss "word"\n/+0'
    for (const form of [
      JSON.stringify({ a: secret }),
      `https://user:${encodeURIComponent(secret)}@host`,
      Buffer.from(`${secret}:x`).toString('base64'),
    ]) {
      const { text } = redact([secret], [form])
      expect(text).toContain('[redacted]')
      expect(text).not.toContain('word')
      expect(text).not.toContain(Buffer.from(secret).toString('base64').slice(4, 12))
    }
  })

  it('takes the longer of two that begin alike', () => {
    expect(redact(['abcabcabcabc', 'abcabcabcabcdef'], ['abcabcabcabcdef abcabcabcabc']).text).toBe(
      '[redacted] [redacted]',
    )
  })

  it('leaves every byte alone where there is no key', () => {
    const bytes = Buffer.from([0, 0xff, 0xc3, 0x0a])
    expect(new Redactor([]).push(bytes)).toBe(bytes)
    expect(new Redactor([key]).push(bytes)).toEqual(bytes)
  })

  it('does the same however a stream is cut', () => {
    const letters = fc.stringMatching(/^[ab]{0,30}$/)
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 8 }), fc.stringMatching(/^[ab]{3,5}$/), (pieces, secret) => {
        const { text } = redact([secret], pieces)
        expect(text).toBe(redact([secret], [pieces.join('')]).text)
        expect(text.split('[redacted]').some((rest) => rest.includes(secret))).toBe(false)
        expect(text.replaceAll('[redacted]', secret)).toBe(pieces.join(''))
      }),
    )
  })

  it('is not slowed down by text that nearly is a key', () => {
    const started = performance.now()
    redact(
      [`${'a'.repeat(200)}b`],
      Array.from({ length: 100 }, () => 'a'.repeat(64 * 1024)),
    )
    expect(performance.now() - started).toBeLessThan(5000)
  })
})

describe('a text that is all there', () => {
  it('loses the keys in all of their forms, the longer one first, and nothing else', () => {
    const longer = `${key}-and-more`
    const base64 = Buffer.from(key).toString('base64')
    const take = redactText([key, longer])
    expect(take(`${longer} ${key} ${base64} \ud800 rest`)).toMatch(
      /^\[redacted\] \[redacted\] \[redacted\]\S* \ud800 rest$/,
    )
    expect(redactText([])('nothing to hide')).toBe('nothing to hide')
  })
})
