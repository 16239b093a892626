import { expect, it } from 'vitest'
import { cheatOnce, hardWay, resumeFromEach } from '../../support/killed-loops.ts'

const isRunning = (moment: string): boolean => !moment.endsWith('run.stopped')

it.each([
  ['a cheat and honest authors', cheatOnce],
  ['everything that can go wrong', hardWay],
])('a run of %s completes with the same list from every instant of it', async (_, setup) => {
  expect(await resumeFromEach(setup, isRunning)).toBeGreaterThan(60)
})
