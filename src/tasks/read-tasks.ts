import { findRepeatedKey, isObject, parseJson, type Json, type JsonObject } from '../base/json.ts'
import { err, ok, type Result } from '../base/result.ts'
import { visibleLine } from '../base/visible.ts'
import type { TaskList } from '../model/story.ts'
import { isLine, isText, listFields, storyFields, type FieldRule } from './story-fields.ts'

/** One thing that is wrong with a task list, as a line that names story and field. */
export interface Problem {
  readonly story: string | null
  readonly field: string
  readonly message: string
}

/** The text of tasks.json as a checked list, or everything that is wrong with it at once. */
export function readTasks(text: string): Result<TaskList, readonly Problem[]> {
  const document = parseList(text)
  if (!document.ok) return err([document.error])
  const repeated = repeatedKey(text, document.value)
  const problems = [
    ...(repeated === null ? [] : [ofList(repeated)]),
    ...problemsOf(document.value, listFields, 'tasks.json', null),
    ...document.value.userStories.flatMap(storyProblems),
    ...duplicates(document.value.userStories),
  ]
  return problems.length === 0 ? ok(document.value as unknown as TaskList) : err(problems)
}

/** tasks.json as far as it must hold together to be looked at field by field: an object with a list of stories. */
export function parseList(text: string): Result<JsonObject & { userStories: Json[] }, Problem> {
  const parsed = parseJson(text)
  if (!parsed.ok) return err(ofList(`tasks.json is ${parsed.error}.`))
  if (!isObject(parsed.value)) {
    return err(ofList('tasks.json must be one JSON object.'))
  }
  if (!Array.isArray(parsed.value['userStories'])) {
    return err(ofList('tasks.json: userStories must be a list of stories.', 'userStories'))
  }
  return ok(parsed.value as JsonObject & { userStories: Json[] })
}

/** What to say of a list in which a key stands twice: what the rules see of it is not all that its readers see. */
export function repeatedKey(text: string, list: JsonObject): string | null {
  // Written by us it would be the same, and we write no key twice.
  if (text === writeTasks(list)) return null
  const found = findRepeatedKey(text)
  if (found === null) return null
  return `tasks.json: line ${found.line}: the key ${visibleLine(JSON.stringify(found.key), 80)} stands twice in one object. Keep one of them.`
}

/** A problem of the list itself. */
const ofList = (message: string, field = 'tasks.json'): Problem => ({ story: null, field, message })

/** The one way in which a task list is written: two spaces, keys in their order, a final newline. */
export function writeTasks(list: TaskList | JsonObject): string {
  return `${JSON.stringify(list, null, 2)}\n`
}

type Fields = Readonly<Record<string, FieldRule>>

/** What is wrong with these fields of an object, each as `<field> <problem>`. */
export function fieldProblems(object: JsonObject, fields: Fields, names: readonly string[] = Object.keys(fields)) {
  return names.flatMap((field) => {
    const rule = fields[field]
    const problem = rule === undefined ? null : fieldProblem(object, field, rule)
    return problem === null ? [] : [{ field, words: `${field} ${problem}` }]
  })
}

const problemsOf = (
  object: JsonObject,
  fields: Readonly<Record<string, FieldRule>>,
  name: string,
  story: string | null,
) => fieldProblems(object, fields).map(({ field, words }): Problem => ({ story, field, message: `${name}: ${words}.` }))

/** `must be text, not 7`, `is missing (must be text)`, or null. */
export function fieldProblem(object: JsonObject, field: string, rule: FieldRule): string | null {
  const value = object[field]
  if (value === undefined) return rule.required ? `is missing (${rule.problem(undefined as never) ?? ''})` : null
  const problem = rule.problem(value)
  return problem === null ? null : `${problem}, not ${visibleLine(JSON.stringify(value), 60)}`
}

function storyProblems(item: Json, index: number): Problem[] {
  const place = `userStories[${index}]`
  if (!isObject(item)) return [{ story: null, field: place, message: `${place} must be an object.` }]
  const story = isText(item['id']) ? visibleLine(item['id'], 64) : null
  const name = story === null ? place : `Story ${story}`
  const problems = problemsOf(item, storyFields, name, story)
  if (item['passes'] === true && isBlank(item['notes'])) {
    problems.push({ story, field: 'notes', message: describeMissingNotes(name) })
  }
  return problems
}

/** A story with `passes` that nobody documented; the same sentence in the schema and for the agent. */
export const describeMissingNotes = (name: string): string =>
  `${name}: passes is true but notes is empty; write down in notes what was done.`

export const isBlank = (value: Json | undefined): boolean => value === undefined || !isLine(value)

/** Ids are unique whatever their case: on some disks and in some eyes `us-1` is `US-1`. */
function duplicates(stories: readonly Json[]): Problem[] {
  const seen = new Map<string, string>()
  return stories.flatMap((item) => {
    const id = isObject(item) && isText(item['id']) ? visibleLine(item['id'], 64) : null
    const first = seen.get(id?.toLowerCase() ?? '')
    if (id === null) return []
    seen.set(id.toLowerCase(), first ?? id)
    if (first === undefined) return []
    const why = first === id ? 'is used twice' : `differs from ${first} only by case`
    return [{ story: id, field: 'id', message: `Story ${id}: id ${why}; ids must be unique.` }]
  })
}
