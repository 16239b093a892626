import { refundCriterion } from './project.ts'

/** A question of the reviewer's to the code, with the answer that a criterion asks for. */
export interface Probe {
  readonly script: string
  readonly answer: string
  readonly criterion: string
  /** Where to look and what to do, if the answer is another one. */
  readonly advice: string
}

const probes: Readonly<Record<string, Probe>> = {
  'US-001': {
    script: `require('./src/total.js').total([])`,
    answer: '0',
    criterion: 'An empty order costs 0',
    advice: 'src/total.js: begin the sum with 0.',
  },
  'US-002': {
    script: `require('./src/amount.js').amount(-5)`,
    answer: '-0.05',
    criterion: refundCriterion,
    advice: 'src/amount.js: take the sign off before dividing; add a test for refunds.',
  },
  'US-003': {
    script: `require('./src/receipt.js').receipt([])`,
    answer: '------------------------\nTotal               0.00',
    criterion: 'The last line is the total, below a rule',
    advice: 'src/receipt.js: an empty order has a rule and a total, too.',
  },
}

/** What the reviewer of this story tries beyond its tests. */
export const probeOf = (story: string): Probe | null => (Object.hasOwn(probes, story) ? (probes[story] ?? null) : null)

/** The finding as the author will read it. */
export function describeFinding({ script, criterion, advice }: Probe, answer: string): string {
  const call = script.slice(script.indexOf(').') + 2)
  return `${call} gives ${answer === '' ? 'no answer' : answer}. The criterion: ${criterion}. ${advice}`
}
