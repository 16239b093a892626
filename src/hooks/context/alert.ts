/** In percent of the window. */
export const thresholds = [50, 60, 70, 80, 90] as const
export type Threshold = (typeof thresholds)[number]

/** What an alert speaks of. */
export interface Fill {
  readonly tokens: number
  readonly window: number
  /** Outside of a loop nobody has heard of tasks.json or of a next iteration, and when to commit is the user's affair. */
  readonly inLoop: boolean
  readonly isEstimate: boolean
}

/** The highest threshold that so many tokens have reached. */
export function reachedThreshold(tokens: number, window: number): Threshold | null {
  return thresholds.findLast((threshold) => tokens >= (window * threshold) / 100) ?? null
}

/** A look at the context holds for this long at most: the model, and with it the window, can be another one any time. */
const lookAgainTokens = 20_000

/** How many tokens there must be before the next threshold can be reached. */
export function nextLook(tokens: number, window: number): number {
  const next = thresholds.find((threshold) => tokens < (window * threshold) / 100)
  return Math.min(tokens + lookAgainTokens, next === undefined ? Infinity : Math.ceil((window * next) / 100))
}

/** So few tokens that those at the threshold are gone: by a compaction, or because a person went back in the conversation. */
export function rearmLevel(threshold: Threshold, window: number): number {
  return Math.floor((window * threshold) / 200)
}

export function alertText(threshold: Threshold, { tokens, window, inLoop, isEstimate }: Fill): string {
  const { severity, space, loop } = words[threshold]
  const percent = Math.floor((tokens / window) * 100)
  const amount = `${isEstimate ? 'an estimated ' : ''}${thousands(tokens)} of ${thousands(window)} tokens`
  return `${severity}: ${percent}% of the context window is used (${amount}). ${inLoop ? loop : space}`
}

const thousands = (tokens: number): string => (tokens < 1000 ? String(tokens) : `${Math.floor(tokens / 1000)}k`)

interface Words {
  readonly severity: 'NOTICE' | 'WARNING' | 'CRITICAL'
  readonly space: string
  readonly loop: string
}

const notice: Words = {
  severity: 'NOTICE',
  space: 'Be mindful of remaining space. Plan to finish your current task within this session.',
  loop: 'Be mindful of remaining space. Plan to finish your current task within this session. If you discover follow-up work, add new stories to tasks.json — the next iteration will pick them up.',
}
const warning: Words = {
  severity: 'WARNING',
  space: 'Finish your current task soon. Do not start additional tasks.',
  loop: 'Finish your current task and commit soon. Do not start additional tasks. If work remains, create new stories in tasks.json for the next iteration and capture any implementation details or insights in progress.txt so the next iteration has full context.',
}
const critical: Words = {
  severity: 'CRITICAL',
  space: 'Wrap up immediately. Do NOT start new work.',
  loop: 'Wrap up immediately. Do NOT start new work. Instead: (1) create tasks in tasks.json for any remaining work, (2) write implementation details, insights, and handoff notes to progress.txt, (3) commit all changes, (4) stop. The next iteration will continue from where you left off.',
}
const words: Readonly<Record<Threshold, Words>> = { 50: notice, 60: notice, 70: warning, 80: warning, 90: critical }
