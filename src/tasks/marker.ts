import { isId } from '../base/ids.ts'
import { isObject, parseJson, sameJson, type Json, type JsonObject } from '../base/json.ts'
import { err, ok, type Result } from '../base/result.ts'
import type { Snapshot, StorySnapshot } from '../model/snapshot.ts'
import type { IterationMode } from '../model/story.ts'
import { fieldProblem } from './read-tasks.ts'
import { defaultReviewCap, type Rules } from './rules.ts'
import { isText, listFields, storyFields, type FieldRule } from './story-fields.ts'

/** `.ralph-active`: tells the hooks that a loop runs here and what the iteration started from. */
export interface Marker {
  readonly version: number
  readonly timestamp: string
  readonly pid: number
  readonly runId: string
  readonly sessionId: string
  readonly iteration: number
  readonly max_iterations: number
  readonly mode: 'sandbox' | 'direct'
  readonly ralphDir: string
  readonly story: string | null
  readonly base: string
  readonly branch: string
  readonly skipReview: boolean
  readonly reviewCap: number
  readonly iterationMode: IterationMode
  readonly preIterationSnapshot: Readonly<Record<string, StorySnapshot>>
  /** The fields of the list itself that the rules compare. */
  readonly preIterationList: Snapshot['top']
  /** sha256 of prd.md, prompt.md and the protected files, by path. */
  readonly hashes: Readonly<Record<string, string>>
  /** What is uncommitted and nobody's work: dirty before the run, or made by checks. A directory ends in a slash. */
  readonly leaveOut: readonly string[]
}

export const markerVersion = 1

export function writeMarker(marker: Marker): string {
  return `${JSON.stringify(marker, null, 2)}\n`
}

/** What the snapshot of the runner becomes in the marker. */
export function snapshotForMarker(snapshot: Snapshot): Pick<Marker, 'preIterationSnapshot' | 'preIterationList'> {
  return { preIterationSnapshot: Object.fromEntries(snapshot.stories), preIterationList: snapshot.top }
}

/** A marker as far as it could be read: older and smaller ones lack fields, a broken field counts as lacking. */
export interface ReadMarker {
  readonly marker: Partial<Marker>
  readonly warnings: readonly string[]
}

export function readMarker(text: string): Result<ReadMarker, string> {
  const parsed = parseJson(text)
  if (!parsed.ok) return err(`.ralph-active is ${parsed.error}`)
  if (!isObject(parsed.value)) return err('.ralph-active is not a JSON object')
  const source = parsed.value
  const marker: Record<string, Json> = {}
  const warnings: string[] = []
  for (const [field, isValid] of Object.entries(markerFields)) {
    const value = source[field]
    if (value === undefined) continue
    if (isValid(value)) marker[field] = value
    else warnings.push(`.ralph-active: ${field} cannot be used and is ignored`)
  }
  if (marker['preIterationSnapshot'] === undefined) {
    warnings.push('.ralph-active has no preIterationSnapshot: transitions are not checked, only the state')
  }
  return ok({ marker, warnings })
}

/** What the Stop hook judges against; null where the marker has no usable snapshot or mode. */
export function snapshotOfMarker(marker: Partial<Marker>): Snapshot | null {
  if (marker.preIterationSnapshot === undefined || marker.iterationMode === undefined) return null
  return {
    stories: new Map(Object.entries(marker.preIterationSnapshot)),
    top: marker.preIterationList ?? {},
    list: null,
    ...(marker.branch === undefined ? {} : { branch: marker.branch }),
  }
}

export function rulesOfMarker(marker: Partial<Marker>): Rules {
  return {
    skipReview: marker.skipReview ?? false,
    reviewCap: marker.reviewCap ?? defaultReviewCap,
    ...(marker.story === undefined ? {} : { story: marker.story }),
    agentSucceeded: true,
    ralphDir: marker.ralphDir ?? 'ralph',
    protects: (path) => Object.hasOwn(marker.hashes ?? {}, path),
    protectedScripts: new Map(),
  }
}

const isCount = (value: Json) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

const markerFields: Readonly<Record<keyof Marker, (value: Json) => boolean>> = {
  version: isCount,
  timestamp: isText,
  pid: isCount,
  runId: isText,
  sessionId: isText,
  iteration: isCount,
  max_iterations: isCount,
  mode: (value) => value === 'sandbox' || value === 'direct',
  ralphDir: isText,
  story: (value) => value === null || isText(value),
  base: (value) => isText(value) && /^[0-9a-f]{40,64}$/.test(value),
  branch: isText,
  skipReview: (value) => typeof value === 'boolean',
  reviewCap: isCount,
  iterationMode: (value) => value === 'implement' || value === 'review' || value === 'review-fix',
  preIterationSnapshot: (value) =>
    isObject(value) && Object.entries(value).every(([id, story]) => isId(id) && isStorySnapshot(story)),
  preIterationList: (value) => isObject(value) && isPart(value, listFields),
  hashes: (value) => isObject(value) && Object.values(value).every(isText),
  leaveOut: (value) => Array.isArray(value) && value.every(isText),
}

/** Of the fields that are there, each is of its kind. */
const isPart = (value: JsonObject, fields: Readonly<Record<string, FieldRule>>): boolean =>
  Object.keys(value).every((name) => fields[name] === undefined || fieldProblem(value, name, fields[name]) === null)

/** The three fields of the seed must be there; of the others, those that are there must be of their kind. */
function isStorySnapshot(value: Json): boolean {
  if (!isObject(value)) return false
  const required = ['passes', 'reviewStatus', 'reviewCount']
  const { splitInto = [], ...others } = value
  const isWhole = required.every((field) => field in value) && isPart(others, storyFields)
  return isWhole && (sameJson(splitInto, []) || isPart({ splitInto }, storyFields))
}
