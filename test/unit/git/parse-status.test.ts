import { describe, expect, it } from 'vitest'
import { parseStatus } from '../../../src/git/parse-status.ts'

const fields = (...texts: string[]): Buffer => Buffer.from(texts.map((text) => `${text}\0`).join(''))

describe('status', () => {
  it('is sorted by what has to be done', () => {
    const seen = parseStatus(
      fields(' M changed', 'A  new', 'AD new-gone', 'D  dropped', '?? un tracked', '?? nested/', '!! ign/'),
    )
    expect(seen).toEqual({
      stale: ['changed', 'new-gone', 'dropped'],
      notInCommit: ['new', 'new-gone'],
      untracked: ['un tracked'],
      nested: ['nested'],
      ignored: ['ign/'],
      clean: false,
    })
  })

  it('is clean although files are ignored', () => {
    expect(parseStatus(fields('!! a')).clean).toBe(true)
  })
})
