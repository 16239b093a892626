import type { Category } from './category.ts'
import type { Rule } from './rule.ts'
import { rules } from './rules.ts'

/** What does harm beyond a box, or to the loop itself; all else a box contains by itself. */
const beyondBox: Readonly<Partial<Record<Category, true>>> = {
  'self-tampering': true,
  'git-destruction': true,
  'supply-chain': true,
  exfiltration: true,
  credentials: true,
  databases: true,
  cloud: true,
}

/** No setting takes back what keeps the loop itself together. */
export const isAllowable = ({ category }: Rule): boolean => category !== 'self-tampering'

/** The rules that hold here. */
export function activeRules({
  isolation,
  allow,
}: {
  /** What the runner says that the agent runs inside; empty or `none`: no box. */
  readonly isolation: string
  /** Names of rules that the settings lift. */
  readonly allow: readonly string[]
}): readonly Rule[] {
  const isBoxed = isolation !== '' && isolation !== 'none'
  if (!isBoxed && allow.length === 0) return rules
  return rules.filter(
    (rule) => (!isBoxed || beyondBox[rule.category] === true) && !(isAllowable(rule) && allow.includes(rule.name)),
  )
}
