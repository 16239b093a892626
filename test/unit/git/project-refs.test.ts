import { describe, expect, it } from 'vitest'
import { findPacked, isSafeRef } from '../../../src/git/project-refs.ts'

describe('refs', () => {
  const id = 'a'.repeat(40)
  it('are found by their whole name', () => {
    const packed = Buffer.from(
      `# pack-refs\n${'b'.repeat(40)} refs/heads/main-old\n${id} refs/heads/main\n^${'c'.repeat(40)}\n`,
    )
    expect(findPacked(packed, 'refs/heads/main')).toBe(id)
    expect(findPacked(packed, 'refs/heads/mai')).toBeNull()
    expect(findPacked(packed, 'ads/main')).toBeNull()
  })

  it.each(['refs/heads/main', 'refs/heads/a/b.c', 'refs/ralph/x/1'])('%s is one', (ref) =>
    expect(isSafeRef(ref)).toBe(true),
  )
  it.each([
    'HEAD',
    'refs/../config',
    'refs/heads/..',
    'refs/heads/a b',
    'refs/heads/',
    'refs//x',
    'refs/x.lock',
    'refs/.x',
    'refs/a\n',
  ])('%j is none', (ref) => expect(isSafeRef(ref)).toBe(false))
})
