import { afterEach, beforeEach, expect, it } from 'vitest'
import { Lab, type Begun } from '../../support/repositories.ts'

/** Branches that are not the loop's are left as they are, and named. */
let lab: Lab
let begun: Begun
let start: string
let next: string
beforeEach(async () => {
  lab = new Lab()
  start = lab.start()
  lab.git('branch', 'packed')
  lab.git('branch', 'team/packed')
  lab.git('pack-refs', '--all')
  lab.git('branch', 'loose')
  lab.git('branch', 'team/a/loose')
  begun = await lab.begin()
  lab.write('work.txt', '')
  next = lab.commit('by the agent')
})
afterEach(() => lab.remove())

it('nothing is said while they stay, nor about new ones and that of the loop', () => {
  lab.git('branch', 'new')
  lab.git('tag', 'v1')
  lab.git('pack-refs', '--all')
  expect(begun.referee.movedBranches()).toEqual([])
})

it.each(['packed', 'team/packed', 'loose', 'team/a/loose'])('%s is moved, and deleted', (name) => {
  lab.git('branch', '-f', name, next)
  expect(begun.referee.movedBranches()).toEqual([
    `${name} was moved to ${next.slice(0, 12)}; it was at ${start.slice(0, 12)}`,
  ])
  lab.git('branch', '-D', name)
  expect(begun.referee.movedBranches()).toEqual([`${name} was deleted; it was at ${start.slice(0, 12)}`])
})

it('one that names another is as good as deleted', () => {
  lab.write('.git/refs/heads/loose', 'ref: refs/heads/packed\n')
  expect(begun.referee.movedBranches()).toEqual([`loose was deleted; it was at ${start.slice(0, 12)}`])
})

it('another process knows what was there at the start of the run', async () => {
  lab.git('branch', '-D', 'loose')
  const { referee } = await lab.begin()
  expect(referee.movedBranches()).toHaveLength(1)
})
