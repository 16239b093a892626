import { expect, it } from 'vitest'
import { cheatOnce, hardWay, resumeFromEach } from '../../support/killed-loops.ts'

/** Right after an event was recorded; torture takes every other instant too. */
const isRecorded = (moment: string): boolean => moment.startsWith('recorded')

it('completes with the same list wherever a run of a cheat and honest authors is killed', async () => {
  expect(await resumeFromEach(cheatOnce, isRecorded)).toBeGreaterThan(30)
}, 300_000)

it('completes with the same list wherever a run that goes wrong in every way is killed', async () => {
  expect(await resumeFromEach(hardWay, isRecorded)).toBeGreaterThan(30)
}, 300_000)
