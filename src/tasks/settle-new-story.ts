import { sameJson } from '../base/json.ts'
import type { RuleName } from '../model/violation.ts'
import type { Draft, Context } from './draft.ts'
import { cleanReview, refuse, reject, reviewFields } from './draft.ts'
import { fieldProblems } from './read-tasks.ts'
import { storyFields } from './story-fields.ts'

const optional = ['description', 'notes', 'dependsOn', 'verifyCommands']
/** What no story is born with, and what says the same as not having it; an empty `splitInto` would be a split. */
const notAtBirth = {
  splitInto: { rule: 'split', empty: undefined },
  blocked: { rule: 'blocked', empty: '' },
  mayChange: { rule: 'people-only-field', empty: [] },
} as const

/**
 * A story that was born in this iteration keeps its text and gets clean fields. False: it has no text to keep (no
 * title, no criteria) and must go.
 */
export function settleNewStory(draft: Draft, context: Context, freePriority: number): boolean {
  const { id, now, out } = draft
  const problemsOf = (fields: readonly string[]) => fieldProblems(now, storyFields, fields)
  const fatal = problemsOf(['title', 'acceptanceCriteria']).map(({ words }) => words)
  if (fatal.length > 0) {
    reject(context, 'schema', id, `Story ${id} (new): ${fatal.join('; ')}.`)
    return false
  }
  const no = (rule: RuleName, words: string, field: string) =>
    refuse(context, draft, rule, `Story ${id} (new): ${words}.`, field)
  for (const { field, words } of problemsOf(optional)) no('schema', words, field)
  for (const [field, { rule, empty }] of Object.entries(notAtBirth)) {
    if (now[field] === undefined || sameJson(now[field], empty)) continue
    no(rule, `a new story may not have ${field}. Remove it`, field)
  }
  for (const { field, words } of problemsOf(['priority'])) {
    no('schema', words, field)
    out['priority'] = freePriority
  }
  settleBirth(draft, context)
  return true
}

/** Clean, or just submitted: whether a part of a split may be that, is decided when the split is known. */
function settleBirth(draft: Draft, context: Context): void {
  const { id, now } = draft
  const clean = (field: (typeof reviewFields)[number]) => now[field] === cleanReview[field]
  if (reviewFields.every(clean)) return
  const submitted = now['reviewStatus'] === 'needs_review'
  if (submitted && reviewFields.every((field) => field === 'reviewStatus' || clean(field))) {
    draft.move = 'needs_review'
    return
  }
  refuse(context, draft, 'new-story-not-clean', describeUncleanBirth(id))
}

export const describeUncleanBirth = (id: string): string =>
  `Story ${id} is new and must start with passes=false, reviewStatus=null, reviewCount=0 and reviewFeedback="".`
