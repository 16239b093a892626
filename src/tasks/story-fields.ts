import { isId } from '../base/ids.ts'
import type { Json } from '../base/json.ts'
import { isBranchName } from './branch-name.ts'
import { isPathspec } from './is-pathspec.ts'

/** One field of the schema. `problem` says what the value must be, or null when it is fine. */
export interface FieldRule {
  readonly required: boolean
  readonly problem: (value: Json) => string | null
}

const text = (required: boolean): FieldRule => ({
  required,
  problem: (value) => (typeof value === 'string' ? null : 'must be text'),
})

const lines = (options: { required: boolean; some: boolean; what: string }): FieldRule => ({
  required: options.required,
  problem: (value) =>
    Array.isArray(value) &&
    (!options.some || value.length > 0) &&
    value.every((item) => typeof item === 'string' && item.trim() !== '')
      ? null
      : `must be ${options.some ? 'a list of at least one' : 'a list of'} ${options.what}`,
})

const ids = (some: boolean): FieldRule => ({
  required: false,
  problem: (value) =>
    Array.isArray(value) &&
    (!some || value.length > 0) &&
    new Set(value).size === value.length &&
    value.every((item) => typeof item === 'string' && isId(item))
      ? null
      : `must be a list of ${some ? 'at least one id' : 'ids'}, each once`,
})

const reviewStatuses: ReadonlySet<Json> = new Set([null, 'needs_review', 'changes_requested', 'approved'])

/** Every field of a story that Ralph knows. Others are kept as they are. */
export const storyFields = {
  id: {
    required: true,
    problem: (value) =>
      typeof value === 'string' && isId(value)
        ? null
        : 'must be 1 to 64 letters, digits, dots, hyphens or underscores, beginning with a letter or digit',
  },
  title: text(true),
  description: text(false),
  acceptanceCriteria: lines({ required: true, some: true, what: 'criterion' }),
  priority: {
    required: true,
    problem: (value) => (typeof value === 'number' && Number.isFinite(value) ? null : 'must be a number'),
  },
  passes: { required: true, problem: (value) => (typeof value === 'boolean' ? null : 'must be true or false') },
  reviewStatus: {
    required: true,
    problem: (value) =>
      reviewStatuses.has(value) ? null : 'must be null, "needs_review", "changes_requested" or "approved"',
  },
  reviewCount: {
    required: true,
    problem: (value) =>
      typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? null : 'must be a whole number from 0',
  },
  reviewFeedback: text(true),
  notes: text(false),
  dependsOn: ids(false),
  splitInto: ids(true),
  blocked: text(false),
  mayChange: lines({ required: false, some: false, what: 'globs' }),
  verifyCommands: lines({ required: false, some: false, what: 'commands' }),
} satisfies Record<string, FieldRule>

export type StoryField = keyof typeof storyFields

/** Every field of the list itself that Ralph knows, but the stories. */
export const listFields = {
  project: text(true),
  branchName: {
    required: true,
    problem: (value) =>
      typeof value === 'string' && isBranchName(value) ? null : 'must be a branch name that git accepts',
  },
  description: text(true),
  verifyCommands: lines({ required: false, some: false, what: 'commands' }),
  protectedPaths: {
    required: false,
    problem: (value) =>
      Array.isArray(value) && value.every((item) => typeof item === 'string' && item.trim() !== '' && isPathspec(item))
        ? null
        : 'must be a list of git pathspecs, relative and with no magic but top, exclude, literal, glob and icase',
  },
} satisfies Record<string, FieldRule>

export type ListField = keyof typeof listFields
