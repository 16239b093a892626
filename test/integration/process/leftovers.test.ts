import { describe, expect, it } from 'vitest'
import { endRun } from '../../../src/process/end-tree.ts'
import { kindsLeftBy } from '../../support/leftovers.ts'
import {
  leftoverKinds,
  masked,
  needsMask,
  needsNamespace,
  noNamespace,
  probed,
  processesWith,
} from '../../support/processes.ts'
import { killRunner } from '../../support/runner-kill.ts'
import { until } from '../../support/until.ts'

const wrapped = [
  { level: 'namespace', needs: needsNamespace, containment: probed },
  { level: 'mask', needs: needsMask, containment: masked },
] as const
const rounds = 4

describe.each(['exit', 'hang'] as const)('an agent that leaves four kinds of processes (%s)', (then) => {
  for (const { level, needs, containment } of wrapped) {
    it.runIf(containment.level === level)(`leaves none with a ${level} ${needs}`, async () => {
      for (let round = 0; round < rounds; round++) expect(await kindsLeftBy(then, containment)).toEqual([])
    })
  }

  it('leaves only the daemon with a wiped environment without one', async () => {
    for (let round = 0; round < rounds; round++) expect(await kindsLeftBy(then, noNamespace)).toEqual(['wiped'])
  })
})

describe('kill -9 of the runner', () => {
  for (const { level, needs, containment } of wrapped) {
    it.runIf(containment.level === level)(`leaves nothing alive after a second, with a ${level} ${needs}`, async () => {
      for (let round = 0; round < 3; round++) {
        await killRunner(level, async (mark) => {
          await until('everything is gone', () => processesWith(mark).length === 0, 1000)
        })
      }
    })
  }

  it('without a namespace leaves what the next runner ends by the id of the run', async () => {
    await killRunner('tree', async (mark, runId) => {
      expect(leftoverKinds(mark)).toEqual(['background', 'daemon', 'hang', 'session', 'wiped'])
      const end = await endRun(runId)
      expect(end.survivors).toEqual([])
      expect(end.ended).toBeGreaterThanOrEqual(4)
      expect(leftoverKinds(mark)).toEqual(['wiped'])
    })
  })

  it('another run is not touched by the end of one', async () => {
    await killRunner('tree', async (mark, runId) => {
      const before = leftoverKinds(mark)
      const others = [`${runId}0`, runId.slice(0, -1), runId.toUpperCase(), 'x']
      for (const other of others.filter((id) => id !== runId)) {
        expect(await endRun(other)).toEqual({ ended: 0, killed: 0, survivors: [] })
      }
      expect(leftoverKinds(mark)).toEqual(before)
      await endRun(runId)
    })
  })
})
