import { expect, it } from 'vitest'
import { killWriters } from '../support/journal-kills.ts'
import { scratch } from '../support/scratch.ts'
import { seededRandom } from '../support/seed.ts'

const random = seededRandom()

it(`500 random kills lose nothing acknowledged (RALPH_SEED=${random.seed})`, async () => {
  const { records } = await killWriters(scratch(), 500, random)
  expect(records).toBeGreaterThan(500)
})
