import fc from 'fast-check'
import { it } from 'vitest'
import { anyLife, live } from '../../support/any-loop.ts'
import { seededRandom } from '../../support/seed.ts'

const { seed } = seededRandom()
const numRuns = Number(process.env['RALPH_RUNS'] ?? 300)

it(`${numRuns} lives of projects with any agents are honest (RALPH_SEED=${seed})`, async () => {
  const life = anyLife({ starts: 4, acts: 8 })
  await fc.assert(
    fc.asyncProperty(life, async (one) => void (await live(one))),
    { numRuns, seed, endOnFailure: true },
  )
})
