import fc from 'fast-check'
import { expect, it } from 'vitest'
import { slugOf } from '../../../src/cli/archive-name.ts'

it.each([
  ['First Release!', 'first-release'],
  ['../../etc/passwd', 'etc-passwd'],
  ['Größe & Maß', 'gro-e-ma'],
  ['--force', 'force'],
  ['a\0b', 'a-b'],
  ['..', null],
  ['', null],
  ['日本', null],
])('the label %j becomes %j', (label, slug) => {
  expect(slugOf(label)).toBe(slug)
})

it('is a plain name of at most 60 characters, whatever the label is', () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom('a', 'Z', '9', '-', '.', '/', '\\', '\0', ' ', 'Ö', 'ß', '😀', '\u202e'),
        maxLength: 100,
      }),
      (label) => {
        expect(slugOf(label) ?? 'none').toMatch(/^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/)
      },
    ),
  )
})
