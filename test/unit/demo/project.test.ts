import { describe, expect, it } from 'vitest'
import { demoFiles, demoList, isDemoList, temptingTest } from '../../../src/demo/project.ts'
import { advise } from '../../../src/tasks/advise.ts'
import { brokenInvariants } from '../../../src/tasks/invariants.ts'
import { allCommands, protectedBy } from '../../../src/tasks/protected-files.ts'
import { readTasks } from '../../../src/tasks/read-tasks.ts'
import { edit, list, stage, story } from '../../support/task-list.ts'

describe('the project of the demo', () => {
  it('has a list that a run can start from, with nothing to improve', () => {
    const read = readTasks(demoFiles['ralph/tasks.json'] ?? '')
    expect(read).toEqual({ ok: true, value: demoList })
    expect(brokenInvariants(demoList, { skipReview: false })).toEqual([])
    expect(advise(demoList, { maxIterations: 15, skipReview: false, hasChecks: false, isFresh: true })).toEqual([])
  })

  it('protects the tests that people wrote, and not those that the agent writes', () => {
    const { files } = protectedBy(allCommands(demoList), new Set(Object.keys(demoFiles)), null)
    expect([...files]).toEqual(['acceptance/total.js', 'acceptance/amount.js', temptingTest])
  })

  it('is recognized at any point of its loop', () => {
    expect(isDemoList(demoList)).toBe(true)
    expect(isDemoList(edit(demoList, 'US-001', stage.approved))).toBe(true)
  })

  it('is not taken for another one', () => {
    expect(isDemoList(list([story('US-001')]))).toBe(false)
    expect(isDemoList({ ...demoList, project: 'receipts' })).toBe(false)
    expect(isDemoList({ ...demoList, userStories: demoList.userStories.slice(1) })).toBe(false)
  })
})
