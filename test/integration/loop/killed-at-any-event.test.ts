import { expect, it } from 'vitest'
import { cheatOnce, hardWay, resumeFromEach } from '../../support/killed-loops.ts'

// Torture takes every instant of both.

it('completes with the same list after whatever event a run of a cheat and of honest authors is killed', async () => {
  // And when the repair is committed, and not yet recorded.
  const isEvent = (moment: string): boolean => /^recorded (?!.*run.stopped)|^after 4 verdict.given/.test(moment)
  expect(await resumeFromEach(cheatOnce, isEvent)).toBeGreaterThan(30)
}, 300_000)

it('completes with the same list if killed when the runner moves stories itself, or in a check that changes files', async () => {
  const isHard = (moment: string): boolean =>
    /^recorded .*(moved|repaired|completion)|^after .*moved|^child ended .*(verdict|completion)/.test(moment)
  expect(await resumeFromEach(hardWay, isHard)).toBeGreaterThan(20)
}, 300_000)
