import { expect, it } from 'vitest'
import { killWriters } from '../support/journal-kills.ts'
import { scratch } from '../support/scratch.ts'
import { seededRandom } from '../support/seed.ts'

it('500 random kills lose nothing acknowledged', async ({ annotate }) => {
  const random = seededRandom()
  await annotate(`RALPH_SEED=${random.seed}`)
  const found = await killWriters(scratch(), 500, random).catch((error: unknown) => {
    throw new Error(`RALPH_SEED=${random.seed}`, { cause: error })
  })
  await annotate(JSON.stringify(found))
  expect(found.records).toBeGreaterThan(500)
})
