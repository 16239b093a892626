import { expect, it } from 'vitest'
import { killAndResume } from '../../support/random-kills.ts'
import { seededRandom } from '../../support/seed.ts'

const runs = 5
const random = seededRandom(20_261_116)

// `npm run torture` has two hundred.
it(`${runs} runs killed at random instants resume and complete (RALPH_SEED=${random.seed})`, async () => {
  let kills = 0
  for (let run = 0; run < runs; run++) kills += (await killAndResume(random)).kills
  expect(kills).toBeGreaterThanOrEqual(runs)
}, 300_000)
