import { expect, it } from 'vitest'
import { killAndResume } from '../../support/random-kills.ts'
import { seededRandom } from '../../support/seed.ts'

const runs = Number(process.env['RALPH_RUNS'] ?? 200)
const random = seededRandom()

it(`${runs} runs killed at random instants all resume and complete (RALPH_SEED=${random.seed})`, async ({
  annotate,
}) => {
  const times: number[] = []
  let kills = 0
  for (let run = 0; run < runs; run++) {
    const killed = await killAndResume(random)
    kills += killed.kills
    times.push(killed.seconds)
  }
  expect(kills).toBeGreaterThan(runs)
  const sorted = times.toSorted((a, b) => a - b)
  await annotate(`${runs} runs, ${kills} kills, ${sorted[Math.floor(runs / 2)]?.toFixed(1)} s a run (median)`)
})
