import { describe, expect, it } from 'vitest'
import { gitGuards, otherWorkTrees } from '../../../../src/isolation/os/git-guards.ts'

describe('what of a git directory is protected', () => {
  it('is everything by which git runs something or looks elsewhere', () => {
    const { writable, protected: kept } = gitGuards('/p', ['/p/.git'], [])
    expect(writable).toEqual(['/p/.git', '/p/.git/refs'])
    const names = 'config config.worktree hooks info modules commondir objects/info/alternates HEAD worktrees'.split(
      ' ',
    )
    expect(kept).toEqual(names.map((name) => `/p/.git/${name}`))
  })

  it('is there, or is put there as what git takes for nothing', () => {
    const { protected: kept, standIns } = gitGuards('/p', ['/p/.git'], [])
    expect(
      kept.filter((path) => !path.endsWith('/HEAD') && !standIns.some((standIn) => standIn.path === path)),
    ).toEqual([])
    expect(standIns).toContainEqual({ path: '/p/.git/commondir', content: '.\n' })
    expect(standIns.find(({ path }) => path.endsWith('alternates'))?.content).toBe('')
  })

  it('leaves the directory of alternates to git, which writes there', () => {
    expect(gitGuards('/p', ['/p/.git'], []).protected).not.toContain('/p/.git/objects/info')
  })

  it('is, for a linked work tree, also what belongs to the other work trees and names its own place', () => {
    const own = '/r/.git/worktrees/w'
    const { writable, protected: kept } = gitGuards('/w', [own, '/r/.git'], ['other'])
    expect(writable).toEqual(['/r/.git', own, '/r/.git/refs'])
    expect(kept).toEqual(
      expect.arrayContaining([
        '/w/.git',
        '/r/.git/config',
        '/r/.git/hooks',
        '/r/.git/HEAD',
        '/r/.git/index',
        '/r/.git/worktrees/other',
        `${own}/HEAD`,
        `${own}/commondir`,
        `${own}/gitdir`,
        `${own}/config.worktree`,
      ]),
    )
    // Otherwise its own directory could not be written.
    expect(kept).not.toContain('/r/.git/worktrees')
  })
})

describe('the other work trees', () => {
  it('are all but the own one', () => {
    expect(otherWorkTrees(['w', 'other'], ['/r/.git/worktrees/w', '/r/.git'])).toEqual(['other'])
  })

  it('are all where the main work tree is the own one', () => {
    expect(otherWorkTrees(['w', 'other'], ['/r/.git'])).toEqual(['w', 'other'])
  })
})
