import { expect, it } from 'vitest'
import { exitCodeOf } from '../../../src/model/stop-reason.ts'
import { stopSentence } from '../../../src/terminal/stop-sentence.ts'

it('has one sentence of its own for each reason, and calls nothing done that is not', () => {
  expect(Object.keys(stopSentence).sort()).toEqual(Object.keys(exitCodeOf).sort())
  expect(new Set(Object.values(stopSentence)).size).toBe(Object.keys(exitCodeOf).length)
  for (const [reason, sentence] of Object.entries(stopSentence)) {
    expect(sentence).toMatch(/^[A-Z].*\.$/)
    expect(sentence.startsWith('Complete')).toBe(exitCodeOf[reason as keyof typeof exitCodeOf] === 0)
  }
})
