import { describe, expect, it } from 'vitest'
import { PersistentMap } from '../../../src/base/persistent-map.ts'
import { ok } from '../../../src/base/result.ts'
import { approvedByHand } from '../../../src/cli/approved-by-hand.ts'
import type { Referee } from '../../../src/git/referee.ts'
import type { StoryMove } from '../../../src/model/event.ts'
import { reduce, type RunState } from '../../../src/model/run-state.ts'
import type { TaskList } from '../../../src/model/story.ts'
import { writeTasks } from '../../../src/tasks/read-tasks.ts'
import { recorded, runStarted } from '../../support/events.ts'
import { list, stage, story } from '../../support/task-list.ts'

const empty = recorded([runStarted]).reduce<RunState | null>(reduce, null) as RunState
const now = list([story('A', stage.approved), story('B', stage.approved), story('C')])

/** `then`: the list of the last commit, if git has it. */
function byHand(then: TaskList | null, lastMove = new PersistentMap<StoryMove>()): Promise<string[]> {
  const previous = { ...empty, lastCommit: 'c0ffee', stories: { ...empty.stories, lastMove } }
  const read: Referee['read'] = () => Promise.resolve(ok(then === null ? null : Buffer.from(writeTasks(then))))
  return approvedByHand(now, previous, { referee: { read } as Referee, ralphDir: 'ralph' })
}

describe('approvedByHand', () => {
  it('names what is approved and was not when the last run ended, whether that run touched it or not', async () => {
    expect(await byHand(list([story('A', stage.approved), story('B')]))).toEqual(['B'])
    expect(await byHand(list([story('A', stage.approved)]))).toEqual(['B'])
  })

  it('names nothing where nobody did anything', async () => {
    expect(await byHand(now)).toEqual([])
  })

  it('goes by the moves of that run where git has no list', async () => {
    const moves = new PersistentMap<StoryMove>().with('A', 'approved').with('B', 'changes_requested')
    expect(await byHand(null, moves)).toEqual(['B'])
  })
})
