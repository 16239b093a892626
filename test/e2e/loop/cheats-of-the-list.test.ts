import { playCheats, type Cheat } from '../../support/cheats.ts'

const cheats: readonly Cheat[] = [
  {
    name: 'an author approves its own story',
    always: `stage.approveAll(); stage.commit(); stage.promise()`,
    rules: ['illegal-transition'],
    takenOut: ['US-001.reviewStatus', 'US-001.passes', 'US-001.reviewCount'],
  },
  {
    name: 'a reviewer approves without counting the review',
    in: 'review',
    always: `stage.edit((_, one) => Object.assign(one, { reviewStatus: 'approved', passes: true })); stage.commit(); stage.promise()`,
    rules: ['illegal-transition'],
    takenOut: ['US-001.reviewStatus', 'US-001.passes'],
  },
]

playCheats(cheats)
