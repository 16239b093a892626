import { describe, expect, it } from 'vitest'
import { moveByHand } from '../../../src/tasks/hand-moves.ts'
import { list, stage, story } from '../../support/task-list.ts'

const note = '[2026-01-31] By hand: it works'

function moved(fields: Parameters<typeof story>[1], move: Parameters<typeof moveByHand>[2]) {
  const before = list([story('A', fields), story('B')])
  const after = moveByHand(before, 'A', move, note)
  if (after !== null) expect(after.userStories[1]).toBe(before.userStories[1])
  return after?.userStories[0] ?? null
}

describe('a person', () => {
  it('approves a story, keeping what its reviewers said', () => {
    expect(moved(stage.rejected, 'approve')).toEqual(
      story('A', {
        passes: true,
        reviewStatus: 'approved',
        reviewCount: 1,
        reviewFeedback: 'Handle the empty case.',
        notes: `Notes on A.\n${note}`,
      }),
    )
  })

  it('who approves a story has done what it was blocked for', () => {
    expect(moved({ blocked: 'Needs a key' }, 'approve')).not.toHaveProperty('blocked')
    expect(moved({ ...stage.approved, blocked: 'Needs a key' }, 'approve')).not.toHaveProperty('blocked')
  })

  it('reopens a story as if nobody had touched it', () => {
    expect(moved({ ...stage.approved, reviewFeedback: 'x', reviewCount: 3 }, 'reopen')).toEqual(
      story('A', { notes: `Notes on A.\n${note}` }),
    )
  })

  it('who reopens a story does not unblock it', () => {
    expect(moved({ ...stage.rejected, blocked: 'Needs a key' }, 'reopen')).toMatchObject({ blocked: 'Needs a key' })
  })

  it('unblocks a story and nothing more', () => {
    expect(moved({ ...stage.rejected, blocked: 'Needs a key' }, 'unblock')).toEqual(
      story('A', { ...stage.rejected, notes: `Notes on A.\n${note}` }),
    )
  })

  it('may do so to a story without notes', () => {
    expect(moved({ notes: '' }, 'approve')?.notes).toBe(note)
  })

  it.each([
    [stage.approved, 'approve'],
    [stage.open, 'reopen'],
    [stage.open, 'unblock'],
    [{ blocked: ' ' }, 'unblock'],
  ] as const)('has nothing to do where %j is to %s', (fields, move) => {
    expect(moved(fields, move)).toBeNull()
  })

  it('keeps unknown fields and the order of all', () => {
    const before = story('A', { extra: 1, blocked: 'x', after: 2 })
    const after = moveByHand(list([before]), 'A', 'unblock', note)?.userStories[0] ?? {}
    expect(Object.keys(after)).toEqual(Object.keys(before).filter((key) => key !== 'blocked'))
  })
})
