import { expect } from 'vitest'
import { expectSound } from './sound-run.ts'
import { StagedLoop, type StagedSetup } from './staged-loop.ts'

/** Two stories; the first author approves everything, rewrites the requirements and commits nothing. */
export const cheatOnce: StagedSetup = {
  stories: 2,
  act(stage) {
    if (!stage.first('cheat')) return stage.honest()
    stage.lab.write('ralph/prd.md', 'nothing is wanted\n')
    stage.lab.write('left.txt', 'work that is legal\n')
    stage.edit((list) => {
      for (const one of list.userStories) Object.assign(one, { passes: true, reviewStatus: 'approved', reviewCount: 1 })
    })
  },
}

/**
 * One story that has everything: a review that rejects, an approval whose check fails, a completion that does not hold. The
 * check changes a tracked file and makes new ones.
 */
export const hardWay: StagedSetup = {
  files: { 'counter.txt': '0\n' },
  act(stage) {
    if (stage.mode === 'review' && stage.lab.story(stage.story).reviewCount === 0) return stage.reject()
    stage.honest()
  },
  check({ lab, mode }) {
    lab.write('counter.txt', `${Date.now()}\n`)
    lab.write(`coverage/${Date.now()}.txt`, 'made by a check\n')
    const { reviewStatus, reviewCount } = lab.story('US-001')
    if (reviewStatus !== 'approved') return 0
    return reviewCount === 2 || (reviewCount === 3 && mode === null) ? 1 : 0
  },
}

/** Plays a run to its end, then cuts it off at every moment that is picked and resumes it: it always completes soundly. */
export async function resumeFromEach(setup: StagedSetup, pick: (moment: string) => boolean): Promise<number> {
  const loop = new StagedLoop(setup)
  try {
    expect(await loop.runAndFreeze(pick), 'without a kill').toBe(0)
    expectSound(loop.lab, loop.lab.events())
    const list = loop.lab.list()
    for (const moment of loop.moments) {
      loop.thaw(moment)
      const message = `killed: ${moment.name}`
      expect(await loop.run(), message).toBe(0)
      expectSound(loop.lab, loop.lab.events())
      expect(loop.lab.list(), message).toEqual(list)
    }
    return loop.moments.length
  } finally {
    loop.remove()
  }
}
