import { sameJson } from '../base/json.ts'
import type { Draft, Context } from './draft.ts'
import { cleanReview, listOf, putBack, putBackReview, reject, reviewFields } from './draft.ts'
import { fieldProblem } from './read-tasks.ts'
import { newCommandsProblem } from './settle-story.ts'
import { storyFields, type StoryField } from './story-fields.ts'

const text: readonly StoryField[] = ['title', 'acceptanceCriteria']
const optional: readonly StoryField[] = ['description', 'notes', 'dependsOn', 'verifyCommands']
/** What no story is born with, and what says the same as not having it; an empty `splitInto` would be a split. */
const notAtBirth = { splitInto: undefined, blocked: '', mayChange: [] }

/**
 * A story that was born in this iteration keeps its text and gets clean fields. False: it has no text to keep (no
 * title, no criteria) and must go.
 */
export function settleNewStory(draft: Draft, context: Context, freePriority: number): boolean {
  const { id, now, out } = draft
  const problemOf = (field: StoryField) => {
    const problem = fieldProblem(now, field, storyFields[field])
    return problem === null ? [] : [`${field} ${problem}`]
  }
  const broken = text.flatMap(problemOf)
  if (broken.length > 0) {
    reject(context, 'schema', id, `Story ${id} (new): ${broken.join('; ')}.`)
    return false
  }
  for (const field of optional.filter((field) => problemOf(field).length > 0)) {
    reject(context, 'schema', id, `Story ${id} (new): ${problemOf(field).join('')}.`)
    putBack(draft, [field], context.ledger)
  }
  const commands = newCommandsProblem(
    { known: [], now: listOf(out['verifyCommands']), name: `Story ${id} (new)` },
    context.ledger,
  )
  if (commands !== null) {
    reject(context, commands.rule, id, commands.message)
    putBack(draft, ['verifyCommands'], context.ledger)
  }
  for (const [field, empty] of Object.entries(notAtBirth)) {
    if (!Object.hasOwn(now, field) || sameJson(now[field], empty)) continue
    const rule = field === 'mayChange' ? 'people-only-field' : field === 'blocked' ? 'blocked' : 'split'
    reject(context, rule, id, `Story ${id} (new): a new story may not have ${field}. Remove it.`)
    putBack(draft, [field], context.ledger)
  }
  if (problemOf('priority').length > 0) {
    reject(context, 'schema', id, `Story ${id} (new): ${problemOf('priority').join('')}.`)
    putBack(draft, ['priority'], context.ledger)
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
  reject(context, 'new-story-not-clean', id, describeUncleanBirth(id))
  putBackReview(draft, context.ledger)
}

export const describeUncleanBirth = (id: string): string =>
  `Story ${id} is new and must start with passes=false, reviewStatus=null, reviewCount=0 and reviewFeedback="".`
