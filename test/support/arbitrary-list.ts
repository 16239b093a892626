import fc from 'fast-check'
import type { Json, JsonObject } from '../../src/base/json.ts'
import type { IterationMode, Story, TaskList } from '../../src/model/story.ts'
import { brokenInvariants } from '../../src/tasks/invariants.ts'
import { textOf } from '../../src/tasks/draft.ts'
import { storyFields } from '../../src/tasks/story-fields.ts'
import { list, stage, story } from './task-list.ts'

export const arbitraryMode = fc.constantFrom<IterationMode>('implement', 'review', 'review-fix')

const ids = ['S0', 'S1', 'S2', 'S3', 'S4', 'S5']
const reviewed = fc.constantFrom<Partial<Story>>(
  stage.open,
  stage.submitted,
  stage.rejected,
  stage.resubmitted,
  stage.approved,
  { ...stage.rejected, reviewCount: 6 },
)

/** Any list that a run may start from. */
export const arbitraryList: fc.Arbitrary<TaskList> = fc
  .integer({ min: 1, max: ids.length })
  .chain((count) => fc.tuple(...ids.slice(0, count).map((id, index) => arbitraryStory(id, index, count))))
  .map((stories) => list(stories))
  .filter((list) => brokenInvariants(list, { skipReview: false }).length === 0)

function arbitraryStory(id: string, index: number, count: number): fc.Arbitrary<Story> {
  const others = ids.slice(0, count).filter((other) => other !== id)
  const few = (names: string[]) => fc.subarray(names, { maxLength: Math.min(2, names.length) })
  const sometimes = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 })
  return fc
    .record({
      review: reviewed,
      priority: fc.integer({ min: 0, max: 3 }),
      dependsOn: few(others),
      splitInto: sometimes(few(others.slice(index))),
      blocked: sometimes(fc.constant('needs a key')),
      notes: fc.constantFrom('Done so far.', 'x'),
      estimate: sometimes(fc.integer()),
    })
    .map(({ review, splitInto, blocked, estimate, ...rest }) =>
      story(id, {
        ...rest,
        ...review,
        ...(splitInto === undefined || splitInto.length === 0 ? {} : { splitInto }),
        ...(blocked === undefined ? {} : { blocked }),
        ...(estimate === undefined ? {} : { estimate }),
      }),
    )
}

type Edit = (document: JsonObject & { userStories: Json[] }) => void

const garbage = fc.oneof(
  fc.constantFrom<Json>(null, true, false, 0, -1, 1.5, 7, '', 'x', 'approved', 'needs_review', 'S1', [], {}),
  fc.constantFrom<Json>(['S0'], ['S1', 'S2'], ['N0'], ['N1', 'N2'], ['true'], ['S0 does one thing', 'S0 does another']),
)
const field = fc.constantFrom(...Object.keys(storyFields), 'estimate', 'x')
const topField = fc.constantFrom('project', 'branchName', 'description', 'verifyCommands', 'protectedPaths', 'z')
const place = fc.nat({ max: 7 })

const at = (document: { userStories: Json[] }, index: number): JsonObject | null => {
  const item = document.userStories[index % Math.max(1, document.userStories.length)]
  return typeof item === 'object' && item !== null && !Array.isArray(item) ? item : null
}

/** What a confused, hurried or dishonest agent does to the file. */
const arbitraryEdit: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(place, field, garbage).map(([index, field, value]): Edit => (document) => {
    const story = at(document, index)
    if (story !== null) story[field] = structuredClone(value)
  }),
  fc.tuple(place, field).map(([index, field]): Edit => (document) => {
    const story = at(document, index)
    if (story !== null) delete story[field]
  }),
  fc.tuple(place, reviewed).map(([index, review]): Edit => (document) => {
    Object.assign(at(document, index) ?? {}, { passes: false, reviewFeedback: '', ...review })
  }),
  place.map((index): Edit => (document) => {
    const story = at(document, index)
    if (story !== null)
      Object.assign(story, { passes: true, reviewStatus: 'approved', reviewCount: Number(story['reviewCount']) + 1 })
  }),
  place.map((index): Edit => (document) => {
    const story = at(document, index)
    if (story !== null) story['notes'] = `${textOf(story['notes'])} More.`
  }),
  place.map(
    (index): Edit =>
      (document) =>
        void document.userStories.splice(index, 1),
  ),
  place.map((index): Edit => (document) => {
    const story = at(document, index)
    if (story !== null) document.userStories.push(structuredClone(story))
  }),
  fc.tuple(place, reviewed).map(([index, review]): Edit => (document) => {
    document.userStories.splice(index, 0, story(`N${index % 3}`, review) as unknown as JsonObject)
  }),
  fc.tuple(place, fc.boolean()).map(([index, submitted]): Edit => (document) => {
    const parent = at(document, index)
    if (parent === null || !Array.isArray(parent['acceptanceCriteria'])) return
    const part = story('N1', {
      acceptanceCriteria: parent['acceptanceCriteria'] as string[],
      ...(submitted ? stage.submitted : {}),
    })
    parent['splitInto'] = ['N1']
    document.userStories.push(part as unknown as JsonObject)
  }),
  fc.constant<Edit>((document) => void document.userStories.push(...document.userStories.splice(0).toReversed())),
  fc.tuple(topField, garbage).map(
    ([field, value]): Edit =>
      (document) =>
        void (document[field] = structuredClone(value)),
  ),
  garbage.map(
    (value): Edit =>
      (document) =>
        void document.userStories.push(structuredClone(value)),
  ),
)

export const arbitraryEdits = fc.array(arbitraryEdit, { maxLength: 6 })

/** The text that an agent leaves behind. */
export function afterEdits(list: TaskList, edits: readonly Edit[]): string {
  const document = structuredClone(list) as unknown as JsonObject & { userStories: Json[] }
  for (const edit of edits) edit(document)
  return JSON.stringify(document)
}
