import { expect, it } from 'vitest'
import { cheatOnce, hardWay, resumeFromEach } from '../../support/killed-loops.ts'

// Torture takes every instant of both.

it('completes with the same list after whatever event a run of a cheat and of honest authors is killed', async () => {
  const isRecorded = (moment: string): boolean => moment.startsWith('recorded') && !moment.endsWith('run.stopped')
  expect(await resumeFromEach(cheatOnce, isRecorded)).toBeGreaterThan(30)
}, 300_000)

it('completes with the same list if killed when the runner moves stories itself, or in a check that changes files', async () => {
  const isHard = (moment: string): boolean =>
    /^recorded .*(moved|repaired|completion)|^after .*moved|^child ended .*(verdict|completion)/.test(moment)
  expect(await resumeFromEach(hardWay, isHard)).toBeGreaterThan(20)
}, 300_000)
