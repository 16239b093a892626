import { describe, expect, it } from 'vitest'
import { expandTemplate, type Placeholder } from '../../../src/prompt/expand-template.ts'

const placeholders = new Map<string, Placeholder>([
  ['id', { value: 'US-001', block: false }],
  ['title', { value: '{{id}} and {{block}}', block: false }],
  ['money', { value: "$& $1 $' $$", block: false }],
  ['block', { value: '<<\nx\n>>', block: true }],
  ['nothing', { value: '', block: true }],
])
const expand = (template: string) => expandTemplate(template, placeholders).text

describe('a template', () => {
  it('gets its placeholders filled in, with or without blanks in the braces', () => {
    expect(expand('a {{id}} b {{ id }} c')).toBe('a US-001 b US-001 c')
  })

  it('is gone over once: what a value says is text', () => {
    expect(expand('{{title}}')).toBe('{{id}} and {{block}}')
    expect(expand('{{{{id}}}}')).toBe('{{US-001}}')
    expect(expand('{{money}}')).toBe("$& $1 $' $$")
  })

  it.each(['{{unknown}}', '{{constructor}}', '{{}}', '{{ID}}', '{id}', '{{id}', '${{ }}'])(
    'keeps %s as text',
    (text) => {
      expect(expand(text)).toBe(text)
    },
  )

  it('gives a block lines of its own wherever it is named', () => {
    expect(expand('before {{block}} after')).toBe('before \n<<\nx\n>>\n after')
    expect(expand('{{block}}')).toBe('<<\nx\n>>')
  })

  it('leaves no gap where there was nothing to say, and all others', () => {
    expect(expand('a\n\n{{nothing}}\n\nb')).toBe('a\n\nb')
    expect(expand('{{nothing}}\n\nb')).toBe('b')
    expect(expand('a\n\n\nb')).toBe('a\n\n\nb')
  })

  it('says which placeholders it used, in order', () => {
    expect(expandTemplate('{{block}} {{x}} {{id}}\n{{block}}', placeholders).used).toEqual(['block', 'id', 'block'])
  })
})
