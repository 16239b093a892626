import { afterEach, expect, it } from 'vitest'
import { StagedLoop } from '../../support/staged-loop.ts'

/** The last checks fail, so the runner takes the approval back: that is not lost, however the run ends there. */
let loop: StagedLoop
afterEach(() => loop.remove())

const modes = (): (string | null)[] =>
  loop.lab.events().flatMap((event) => (event.kind === 'iteration.started' ? [event.mode] : []))

it('it is written also when somebody stops the run in these checks', async () => {
  loop = new StagedLoop({
    act: (stage) => stage.honest(),
    check({ lab, mode }) {
      if (mode !== null) return 0
      lab.git('commit', '-q', '--allow-empty', '-m', 'by a check')
      loop.cancel('now')
      return 0
    },
  })
  await loop.run()
  expect(loop.lab.events().at(-1)).toMatchObject({ kind: 'run.stopped', reason: 'interrupted' })
  expect(loop.lab.story('US-001')).toMatchObject({ passes: false, reviewStatus: 'changes_requested' })
})

it.each([false, true])('it is written by the next run when this one is killed before (--fresh: %s)', async (fresh) => {
  class Killed extends Error {}
  let isFirst = true
  loop = new StagedLoop({
    act: (stage) => stage.honest(),
    check: ({ mode }) => (mode === null && isFirst ? 1 : 0),
    recorded(event) {
      if (!isFirst || event.kind !== 'stories.moved' || event.moves[0]?.to !== 'changes_requested') return
      isFirst = false
      throw new Killed()
    },
  })
  await expect(loop.run()).rejects.toThrow(Killed)
  expect(loop.lab.story('US-001').passes).toBe(true)
  expect(await loop.run(fresh ? { fresh } : {})).toBe(0)
  expect(modes().slice(-2)).toEqual(['review-fix', 'review'])
})
