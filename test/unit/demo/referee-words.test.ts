import { describe, expect, it } from 'vitest'
import { refereeWords } from '../../../src/demo/referee-words.ts'
import { demoFiles } from '../../../src/demo/project.ts'

describe('what the referee wrote', () => {
  it('is found wherever it stands in the prompt, one sentence of each', () => {
    const prompt = [
      'Iteration 8 of 15',
      '- [illegal-transition] US-003: Implement iterations cannot set passes=true or approve stories. Only review iterations may.',
      '> acceptance/receipt.js: the checks stand on this file; it may not change during a loop. Put it back.',
      'Now work.',
    ].join('\n')
    expect(refereeWords(prompt)).toEqual([
      'Implement iterations cannot set passes=true or approve stories.',
      'acceptance/receipt.js: the checks stand on this file; it may not change during a loop.',
    ])
  })

  it('is not made up where a prompt only names the test', () => {
    const prompt = `Run node acceptance/receipt.js\n${demoFiles['ralph/prd.md']}\n${demoFiles['ralph/tasks.json']}`
    expect(refereeWords(prompt)).toEqual([])
  })

  it('is whole if it is one sentence', () => {
    expect(refereeWords('Implement iterations cannot set passes=true')).toHaveLength(1)
  })
})
