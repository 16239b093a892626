import { describe, expect, it } from 'vitest'
import { endRun } from '../../../src/process/end-tree.ts'
import { kindsLeftBy } from '../../support/leftovers.ts'
import { leftoverKinds, needsNamespace, noNamespace, probed, processesWith } from '../../support/processes.ts'
import { killRunner } from '../../support/runner-kill.ts'
import { until } from '../../support/until.ts'

const hasNamespace = probed.level === 'namespace'

/** How often each set of kinds was left in so many rounds. */
async function tally(rounds: number, round: () => Promise<string[]>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (let index = 0; index < rounds; index++) {
    const kinds = (await round()).join(' ') || 'none'
    counts[kinds] = (counts[kinds] ?? 0) + 1
  }
  return counts
}

describe.each(['exit', 'hang'] as const)('100 agents that leave four kinds of processes (%s)', (then) => {
  it.runIf(hasNamespace)(`leave none with a namespace ${needsNamespace}`, async () => {
    expect(await tally(100, () => kindsLeftBy(then, probed))).toEqual({ none: 100 })
  })

  it('leave only the daemon with a wiped environment without one', async () => {
    expect(await tally(100, () => kindsLeftBy(then, noNamespace))).toEqual({ wiped: 100 })
  })
})

describe('20 times kill -9 of the runner', () => {
  it.runIf(hasNamespace)(`leave nothing alive after a second, with a namespace ${needsNamespace}`, async () => {
    for (let round = 0; round < 20; round++) {
      await killRunner('namespace', async (mark) => {
        await until('everything is gone', () => processesWith(mark).length === 0, 1000)
      })
    }
  })

  it('leave what the next runner ends by the id of the run, without one', async () => {
    for (let round = 0; round < 20; round++) {
      await killRunner('tree', async (mark, runId) => {
        expect((await endRun(runId)).survivors).toEqual([])
        expect(leftoverKinds(mark)).toEqual(['wiped'])
      })
    }
  })
})
