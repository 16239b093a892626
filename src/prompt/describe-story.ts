import type { Json } from '../base/json.ts'
import { visibleLine } from '../base/visible.ts'
import type { Story } from '../model/story.ts'
import { isBlocked, isDone, openParts } from '../tasks/select-story.ts'
import { storyFields } from '../tasks/story-fields.ts'
import { listItem } from './list-item.ts'
import type { PromptContext } from './prompt-context.ts'

/** With more than these only those that are open are named; the list itself is there to read. */
const mostStories = 200

/** The story at hand. Its author's notes are for the next author; a reviewer must not be told what to think of it. */
export function describeStory(context: PromptContext): string {
  const { story, mode, ralphDir, quote, maxTextChars, maxDocumentChars } = context
  const lines = mode === 'review' ? judged(context) : [...judged(context), ...forAuthors(context)]
  const parts = [
    `## The story: ${story.id}`,
    mode === 'review'
      ? 'What was asked for, as it was when the work began. These criteria decide.'
      : `What to build. If something is left out here, \`${ralphDir}/tasks.json\` has all of it.`,
    quote({ kind: 'story', text: lines.join('\n'), maxChars: maxDocumentChars }),
  ]
  if (mode === 'review-fix') {
    parts.push(
      `What the review found (\`reviewFeedback\` in \`${ralphDir}/tasks.json\`):`,
      quote({ kind: 'review-feedback', text: story.reviewFeedback, maxChars: maxTextChars }),
    )
  }
  return parts.join('\n\n')
}

function judged({ story, maxTextChars }: PromptContext): string[] {
  const item = (label: string, text: string) => listItem(label, text, maxTextChars)
  return [
    `id: ${story.id}`,
    item('title:', story.title),
    ...(story.description === undefined || story.description === '' ? [] : [item('description:', story.description)]),
    'acceptanceCriteria:',
    ...story.acceptanceCriteria.map((criterion, index) => item(`  ${index + 1}.`, criterion)),
    ...names(item, 'splitInto (its parts, approved already):', story.splitInto),
  ]
}

function forAuthors({ story, maxTextChars }: PromptContext): string[] {
  const item = (label: string, text: string) => listItem(label, text, maxTextChars)
  const unknown = Object.keys(story).filter((field) => !Object.hasOwn(storyFields, field))
  return [
    ...names(item, 'dependsOn:', story.dependsOn),
    ...names(item, 'mayChange (protected files that this story may change):', story.mayChange),
    ...unknown.map((field) => item(`${visibleLine(field, 80)}:`, toText(story[field]))),
    ...(story.notes === undefined || story.notes === '' ? [] : [item('notes of earlier iterations:', story.notes)]),
  ]
}

function names(
  item: (label: string, text: string) => string,
  label: string,
  values: readonly string[] | undefined,
): string[] {
  return values === undefined || values.length === 0 ? [] : [item(label, values.join(', '))]
}

const toText = (value: Json | undefined): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null))

/** The others, so that nobody builds or demands what belongs to them. */
export function describeOtherStories(context: PromptContext): string {
  const { list, story, skipReview, quote, maxDocumentChars } = context
  const others = list.userStories.filter((other) => other.id !== story.id)
  if (others.length === 0) return ''
  const waiting = openParts(list.userStories, skipReview)
  const open = others.filter((other) => !isDone(other, skipReview))
  const shown = others.length <= mostStories ? others : open.slice(0, mostStories)
  const left = others.length - shown.length
  const lines = shown.map(
    (other) => `${other.id} [${stateOf(other, waiting.has(other.id))}] ${visibleLine(other.title)}`,
  )
  return [
    '## The other stories',
    `Not the work of this iteration. ${open.length} of ${others.length} are open` +
      (left > 0 ? `; ${left} are not named here, see \`${context.ralphDir}/tasks.json\`.` : '.'),
    ...(shown.length === 0 ? [] : [quote({ kind: 'stories', text: lines.join('\n'), maxChars: maxDocumentChars })]),
  ].join('\n\n')
}

function stateOf(story: Story, waitsForParts: boolean): string {
  if (isBlocked(story)) return 'blocked'
  if (waitsForParts) return 'waits for its parts'
  return story.reviewStatus ?? (story.passes ? 'passed' : 'open')
}
