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
    advice: 'src/amount.js: take the sign off before dividing, and add a test for refunds.',
  },
  'US-003': {
    script: `require('./src/receipt.js').receipt([{ quantity: 1, name: 'x'.repeat(40), cents: -5 }]).split('\\n').map((line) => line.length).join()`,
    answer: '24,24,24',
    criterion: 'Every line is 24 characters wide; a name that is too long is cut',
    advice: 'src/receipt.js: cut the left side to what the amount leaves.',
  },
}

/** What the reviewer of this story tries beyond its tests. */
export const probeOf = (story: string): Probe | null => (Object.hasOwn(probes, story) ? (probes[story] ?? null) : null)

/** The finding as the author will read it. */
export const describeFinding = (probe: Probe, answer: string): string =>
  `"${probe.criterion}" is not met: ${probe.script} gives ${answer === '' ? 'no answer' : answer}, not ${probe.answer}. ${probe.advice}`
