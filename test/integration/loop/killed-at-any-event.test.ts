import { expect, it } from 'vitest'
import { cheatOnce, hardWay, resumeFromEach } from '../../support/killed-loops.ts'

// Torture takes every instant of both.

it('completes with the same list after whatever event of its first story or of its end a run is killed', async () => {
  const isPicked = (moment: string): boolean => {
    const [, seq] = /^recorded (\d+) (?!run.stopped)/.exec(moment) ?? []
    // Or when the repair is committed, and not yet recorded.
    return seq === undefined ? moment === 'after 5 verdict.given' : Number(seq) < 20 || Number(seq) > 30
  }
  expect(await resumeFromEach(cheatOnce, isPicked)).toBeGreaterThan(20)
}, 300_000)

it('completes with the same list if killed when the runner moves stories itself, or in a check that changes files', async () => {
  const isPicked = (moment: string): boolean =>
    /^recorded .*(repaired|completion)|^after (24|41) stories.moved|^child ended .*(completion|2. verdict)/.test(moment)
  expect(await resumeFromEach(hardWay, isPicked)).toBeGreaterThan(10)
}, 300_000)
