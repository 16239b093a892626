import { describe, expect, it } from 'vitest'
import { alertText, nextLook, reachedThreshold, rearmLevel, thresholds } from '../../../../src/hooks/context/alert.ts'

const window = 200_000
const loopWords = /tasks\.json|progress\.txt|iteration|stor(?:y|ies)|commit/i

describe('reachedThreshold', () => {
  it.each([
    [0, null],
    [99_999, null],
    [100_000, 50],
    [119_999, 50],
    [120_000, 60],
    [140_000, 70],
    [179_999, 80],
    [180_000, 90],
    [500_000, 90],
  ])('%d of 200,000 tokens: %s', (tokens, reached) => {
    expect(reachedThreshold(tokens, window)).toBe(reached)
  })
})

describe('nextLook', () => {
  it('is the next threshold where that is near', () => {
    expect(nextLook(99_000, window)).toBe(100_000)
    expect(nextLook(100_000, window)).toBe(120_000)
    expect(nextLook(1, 3)).toBe(2)
  })

  it('is never far, since the model can be changed for one with a smaller window', () => {
    expect(nextLook(1000, 1_000_000)).toBe(21_000)
    expect(nextLook(950_000, 1_000_000)).toBe(970_000)
  })
})

describe('rearmLevel', () => {
  it('is half of the threshold', () => {
    expect(thresholds.map((threshold) => rearmLevel(threshold, window))).toEqual([
      50_000, 60_000, 70_000, 80_000, 90_000,
    ])
  })
})

describe('alertText', () => {
  const fill = { tokens: 104_321, window, inLoop: true, isEstimate: false }
  const texts = (inLoop: boolean) => thresholds.map((threshold) => alertText(threshold, { ...fill, inLoop }))

  it('says how full it is and what to do about it', () => {
    expect(alertText(50, fill)).toBe(
      'NOTICE: 52% of the context window is used (104k of 200k tokens). Be mindful of remaining space. Plan to finish your current task within this session. If you discover follow-up work, add new stories to tasks.json — the next iteration will pick them up.',
    )
  })

  it('rises from notice to warning to critical', () => {
    expect(texts(true).map((text) => text.split(':')[0])).toEqual([
      'NOTICE',
      'NOTICE',
      'WARNING',
      'WARNING',
      'CRITICAL',
    ])
    expect(texts(true)[3]).toContain('Finish your current task and commit soon. Do not start additional tasks. If work')
    expect(texts(true)[4]).toContain(
      'Wrap up immediately. Do NOT start new work. Instead: (1) create tasks in tasks.json',
    )
  })

  it('speaks outside of a loop only of space', () => {
    for (const text of texts(false)) expect(text).not.toMatch(loopWords)
    for (const text of texts(true)) expect(text).toMatch(loopWords)
    expect(texts(false)[0]).toMatch(
      /Be mindful of remaining space\. Plan to finish your current task within this session\.$/,
    )
  })

  it('says what is only an estimate', () => {
    expect(alertText(50, { ...fill, isEstimate: true })).toContain('(an estimated 104k of 200k tokens)')
  })
})
