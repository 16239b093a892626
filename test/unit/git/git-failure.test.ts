import { describe, expect, it } from 'vitest'
import { gitFailure } from '../../../src/git/git-failure.ts'

const failure = (stderr: string) => gitFailure({ doing: 'commit', exitCode: 128, stderr }, '/state/referee.git')

describe('gitFailure', () => {
  it.each([
    ["fatal: sha1 file '/x/index.lock' write error. Out of diskspace", 'ENOSPC'],
    ['error: unable to write file: No space left on device\nfatal: cannot go on', 'ENOSPC'],
    ['error: file write error: Disk quota exceeded', 'EDQUOT'],
    ["fatal: Unable to create '/x/index.lock': Read-only file system", 'EROFS'],
  ])('blames the disk where git does: %s', (stderr, code) => {
    expect(failure(stderr)).toEqual({ reason: 'storage', doing: 'write to', path: '/state/referee.git', code })
  })

  it('does not take the name of a file for the words of git', () => {
    const stderr = "error: invalid path 'No space left on device'"
    expect(failure(stderr)).toEqual({ reason: 'git-failed', doing: 'commit', exitCode: 128, stderr })
  })
})
