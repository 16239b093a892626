import fc from 'fast-check'
import { expect, it } from 'vitest'
import { OutputEnds } from '../../../src/checks/output-ends.ts'

function endsOf(lines: readonly string[], endBytes: number): { head: string; tail: string; totalBytes: number } {
  const output = new OutputEnds(endBytes)
  for (const line of lines) output.line(Buffer.from(line))
  const { head, tail, totalBytes } = output.ends()
  return { head: head.toString(), tail: tail.toString(), totalBytes }
}

it('has a short output whole', () => {
  expect(endsOf(['ab', 'c'], 100)).toEqual({ head: 'ab\nc\n', tail: '', totalBytes: 5 })
  expect(endsOf(['ab', 'c'], 4)).toEqual({ head: 'ab\nc', tail: '\n', totalBytes: 5 })
  expect(endsOf([], 4)).toEqual({ head: '', tail: '', totalBytes: 0 })
})

it('has both ends of a long one', () => {
  expect(endsOf(['0123456789', 'abcdefghij'], 4)).toEqual({ head: '0123', tail: 'hij\n', totalBytes: 22 })
})

it('has them however the lines are cut', () => {
  const lines = fc.array(fc.stringMatching(/^[a-z]{0,12}$/), { maxLength: 20 })
  fc.assert(
    fc.property(lines, fc.integer({ min: 1, max: 30 }), (lines, endBytes) => {
      const whole = lines.map((line) => `${line}\n`).join('')
      expect(endsOf(lines, endBytes)).toEqual({
        head: whole.slice(0, endBytes),
        tail: whole.slice(Math.max(endBytes, whole.length - endBytes)),
        totalBytes: whole.length,
      })
    }),
  )
})

it('gives the same again, and goes on', () => {
  const output = new OutputEnds(3)
  output.line(Buffer.from('abcdef'))
  const first = output.ends()
  expect(output.ends()).toEqual(first)
  output.line(Buffer.from('xyz'))
  expect(first.tail.toString()).toBe('ef\n')
  expect(output.ends().tail.toString()).toBe('yz\n')
})
