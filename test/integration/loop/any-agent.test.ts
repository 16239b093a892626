import fc from 'fast-check'
import { it } from 'vitest'
import { anyLife, live } from '../../support/any-loop.ts'

// Torture takes hundreds of longer ones.

it('whatever agents and checks do and however runs are cut off, only what was reviewed and verified is complete', async () => {
  const life = anyLife({ starts: 2, acts: 3 })
  const numRuns = Number(process.env['RALPH_RUNS'] ?? 5)
  const seed = Number(process.env['RALPH_SEED'] ?? 3)
  await fc.assert(
    fc.asyncProperty(life, async (one) => void (await live(one))),
    { numRuns, seed, endOnFailure: true },
  )
}, 300_000)
