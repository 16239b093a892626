import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { rules } from '../../../src/guard/rules.ts'

it('the page on the guard lists every rule with its category, and no other', () => {
  const page = readFileSync(new URL('../../../docs/guard.md', import.meta.url), 'utf8')
  const listed = Array.from(
    page.matchAll(/^\| `([a-z-]+)` \| ([a-z-]+) \| .+ \|$/gm),
    ([, name, category]) => `${name} ${category}`,
  )
  expect(listed.toSorted()).toEqual(rules.map(({ name, category }) => `${name} ${category}`).toSorted())
})
