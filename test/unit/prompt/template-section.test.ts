import { describe, expect, it } from 'vitest'
import { templateSection } from '../../../src/prompt/template-section.ts'

const template = `Common.

<!-- mode: implement -->
Build.

<!-- end -->
<!-- mode: review-fix, implement -->
Code.

<!-- end -->
<!-- mode: skip-review -->
Alone.

<!-- end -->
Last.`

describe('a section of a template', () => {
  it.each([
    ['implement', 'Common.\n\nBuild.\n\nCode.\n\nLast.'],
    ['review-fix', 'Common.\n\nCode.\n\nLast.'],
    ['skip-review', 'Common.\n\nAlone.\n\nLast.'],
    ['review', 'Common.\n\nLast.'],
  ] as const)('for %s has what is for it and for all', (section, text) => {
    expect(templateSection(template, section)).toBe(text)
    expect(templateSection(template.replaceAll('\n', '\r\n'), section)).toBe(text)
  })

  it('ends where the next begins, and with the text', () => {
    const open = '<!-- mode: review -->\na\n<!-- mode: implement -->\nb'
    expect(templateSection(open, 'review')).toBe('a')
    expect(templateSection(open, 'implement')).toBe('b')
  })

  it('leaves out notes to people, with whatever they quote', () => {
    const noted = 'a\n\n<!-- note\nSay {{story}}.\n<!-- mode: review -->\n-->\n\nb'
    expect(templateSection(noted, 'implement')).toBe('a\n\nb')
  })

  it.each([
    '<!-- mode: reveiw -->\na',
    '<!-- mode: -->\na',
    '<!-- a comment -->\na',
    'see <!-- mode: review --> there',
    '<!-- note\nwithout an end',
    '<!--->',
    '<!-- mode: review',
  ])('takes %j for text: rather too much than too little', (text) => {
    expect(templateSection(text, 'implement')).toBe(text)
  })

  it('keeps the blank lines of the text itself', () => {
    expect(templateSection('a\n\n\n\nb', 'review')).toBe('a\n\n\n\nb')
  })
})
