import { isId } from '../base/ids.ts'
import type { Json } from '../base/json.ts'
import { isBranchName } from './branch-name.ts'
import { isPathspec } from './is-pathspec.ts'

/** One field of the schema. `problem` says what the value must be, or null when it is fine. */
export interface FieldRule {
  readonly required: boolean
  readonly problem: (value: Json) => string | null
}

/** A field that must be what `isValid` takes; `must` says what that is. */
const fieldRule = (required: boolean, isValid: (value: Json) => boolean, must: string): FieldRule => ({
  required,
  problem: (value) => (isValid(value) ? null : `must be ${must}`),
})

export const isText = (value: Json | undefined): value is string => typeof value === 'string'
export const isLine = (value: Json): value is string => isText(value) && value.trim() !== ''
const isNumber = (value: Json): value is number => typeof value === 'number' && Number.isFinite(value)
const isIds = (value: Json): boolean =>
  Array.isArray(value) && new Set(value).size === value.length && value.every((item) => isText(item) && isId(item))
const isSome = (value: Json): boolean => Array.isArray(value) && value.length > 0
const isLines = (value: Json): boolean => Array.isArray(value) && value.every(isLine)

const textRule = (required: boolean): FieldRule => fieldRule(required, isText, 'text')
const linesRule = (what: string): FieldRule => fieldRule(false, isLines, `a list of ${what}`)

const reviewStatuses: ReadonlySet<Json> = new Set([null, 'needs_review', 'changes_requested', 'approved'])

/** Every field of a story that Ralph knows. Others are kept as they are. */
export const storyFields = {
  id: fieldRule(
    true,
    (value) => isText(value) && isId(value),
    '1 to 64 letters, digits, dots, hyphens or underscores, beginning with a letter or digit',
  ),
  title: textRule(true),
  description: textRule(false),
  acceptanceCriteria: fieldRule(true, (value) => isLines(value) && isSome(value), 'a list of at least one criterion'),
  priority: fieldRule(true, isNumber, 'a number'),
  passes: fieldRule(true, (value) => typeof value === 'boolean', 'true or false'),
  reviewStatus: fieldRule(
    true,
    (value) => reviewStatuses.has(value),
    'null, "needs_review", "changes_requested" or "approved"',
  ),
  reviewCount: fieldRule(true, (value) => Number.isSafeInteger(value) && Number(value) >= 0, 'a whole number from 0'),
  reviewFeedback: textRule(true),
  notes: textRule(false),
  dependsOn: fieldRule(false, isIds, 'a list of ids, each once'),
  splitInto: fieldRule(false, (value) => isIds(value) && isSome(value), 'a list of at least one id, each once'),
  blocked: textRule(false),
  mayChange: linesRule('globs'),
  verifyCommands: linesRule('commands'),
} satisfies Record<string, FieldRule>

export type StoryField = keyof typeof storyFields

/** Every field of the list itself that Ralph knows, but the stories. */
export const listFields = {
  project: textRule(true),
  branchName: fieldRule(true, (value) => isText(value) && isBranchName(value), 'a branch name that git accepts'),
  description: textRule(true),
  verifyCommands: linesRule('commands'),
  protectedPaths: fieldRule(
    false,
    (value) => Array.isArray(value) && value.every((item) => isLine(item) && isPathspec(item)),
    'a list of git pathspecs, relative and with no magic but top, exclude, literal, glob and icase',
  ),
} satisfies Record<string, FieldRule>

export type ListField = keyof typeof listFields
