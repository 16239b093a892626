import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { advisePrd } from '../../../src/tasks/advise-prd.ts'

const template = readFileSync(join(import.meta.dirname, '../../../templates/prd-template.md'), 'utf8')
const on = (text: string) => advisePrd(text, { template, path: 'ralph/prd.md' }).map(({ what }) => what)

const whole = `# PRD: Search

**Tier:** S-Patch

## 1. Summary

A search box for orders.

## 2. Problem Statement

Nobody finds anything.

## 6. Technical Design

### 6c. Core Logic Changes

1. Filter by name.

## 10. Open Questions

- ~~Do we support Safari 14?~~ No, from 15 on.
`

describe('requirements', () => {
  it('that are whole get no advice', () => {
    expect(on(whole)).toEqual([])
  })

  it('in another form are left alone', () => {
    expect(on('Build a search box for orders.\n')).toEqual([])
  })

  it('that nobody has written are the template, or empty', () => {
    expect(on(template)).toEqual(['ralph/prd.md is still the template.'])
    for (const empty of ['', ' \n', '<!-- Say what you want. -->\n'])
      expect(on(empty)).toEqual(['ralph/prd.md is empty.'])
  })

  it('that are half written lack what is named', () => {
    const half = template.replace('<!-- Required, all tiers. 2 to 4 sentences', 'A search box. <!-- 2 to 4 sentences')
    expect(on(half)).toEqual([
      'ralph/prd.md has no title yet.',
      'ralph/prd.md names no tier.',
      'ralph/prd.md has nothing in "2. Problem Statement", which every tier requires.',
      'ralph/prd.md has nothing in "6. Technical Design", which every tier requires.',
      'ralph/prd.md still has comments of the template.',
    ])
  })

  it.each([
    ['- Which browsers?', 'ralph/prd.md has an open question.'],
    ['- Which browsers?\n* And phones?', 'ralph/prd.md has 2 open questions.'],
  ])('say what is not decided: %s', (questions, what) => {
    expect(on(`${whole}${questions}\n`)).toEqual([what])
  })

  it('may have a mark that was to be filled in', () => {
    expect(on(`${whole}\n## 7. Constraints\n\nAt most TBD items.\n`)).toEqual(['ralph/prd.md has "TBD" in it.'])
  })

  it('are read in time, however many comments do not end', () => {
    expect(on(`${whole}${'<!-- '.repeat(400_000)}${'- '.repeat(200_000)}`)).toEqual([])
  })
})
