import { describe, expect, it } from 'vitest'
import { matcherOf, matchesGlob } from '../../../src/tasks/pathspec.ts'

/** That it matches what git matches is proved with git itself, in test/integration/tasks. */
describe('a glob of mayChange', () => {
  it.each([
    ['test/*.ts', 'test/a.ts', true],
    ['test/*.ts', 'test/deep/a.ts', false],
    ['test/**', 'test/deep/a.ts', true],
    ['**/a.ts', 'a.ts', true],
    ['**/a.ts', 'xa.ts', false],
    ['test', 'test/a.ts', true],
    ['tes', 'test/a.ts', false],
    ['test/?.ts', 'test/a.ts', true],
    ['test?a.ts', 'test/a.ts', false],
    ['test[/]a.ts', 'test/a.ts', false],
    ['test/[!b].ts', 'test/a.ts', true],
    ['test/*[a', 'test/x[a', false],
    ['test/\\*', 'test/*', true],
    ['test/\\*', 'test/a', false],
  ])('%s on %s', (glob, path, expected) => expect(matchesGlob(path, glob)).toBe(expected))
})

describe('whatever an agent names a file', () => {
  it.each([
    ['*a*a*a*a*b', 'a'.repeat(50_000)],
    ['**/**/**/**/b', 'a/'.repeat(25_000)],
    [`${'?'.repeat(1000)}*b`, 'a'.repeat(50_000)],
  ])('%# is answered at once, and without a deep stack', (pattern, path) => {
    const start = performance.now()
    expect(matcherOf([pattern, `:(glob)${pattern}`])(path)).toBe(false)
    expect(performance.now() - start).toBeLessThan(3000)
  })
})
