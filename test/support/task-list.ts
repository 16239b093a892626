import type { Observation, PathChange, SeenFile } from '../../src/model/observation.ts'
import type { IterationMode, Story, TaskList } from '../../src/model/story.ts'
import { judge, repair } from '../../src/tasks/judge.ts'
import type { Protection } from '../../src/tasks/protected-files.ts'
import { protectionIn } from '../../src/tasks/protection.ts'
import { readTasks, writeTasks } from '../../src/tasks/read-tasks.ts'
import type { Rules } from '../../src/tasks/rules.ts'
import { takeSnapshot } from '../../src/tasks/take-snapshot.ts'

export function story(id: string, fields: Partial<Story> = {}): Story {
  return {
    id,
    title: `Title of ${id}`,
    description: `What ${id} is about`,
    acceptanceCriteria: [`${id} does one thing`, `${id} does another`],
    priority: 1,
    passes: false,
    reviewStatus: null,
    reviewCount: 0,
    reviewFeedback: '',
    notes: `Notes on ${id}.`,
    dependsOn: [],
    ...fields,
  }
}

/** The review fields of a story on each stage of its way. */
export const stage = {
  open: {},
  submitted: { reviewStatus: 'needs_review' },
  rejected: { reviewStatus: 'changes_requested', reviewCount: 1, reviewFeedback: 'Handle the empty case.' },
  resubmitted: { reviewStatus: 'needs_review', reviewCount: 1 },
  approved: { reviewStatus: 'approved', passes: true, reviewCount: 1 },
  passed: { passes: true },
} as const satisfies Record<string, Partial<Story>>

export function list(stories: readonly Story[], fields: Partial<TaskList> = {}): TaskList {
  return {
    project: 'Demo',
    branchName: 'ralph/demo',
    description: 'A demo',
    verifyCommands: ['npm test'],
    userStories: [...stories],
    ...fields,
  }
}

export const rules = (fields: Partial<Rules> = {}): Rules => ({
  skipReview: false,
  reviewCap: 5,
  story: 'A',
  agentSucceeded: true,
  ralphDir: 'ralph',
  protects: () => false,
  protectedScripts: new Map(),
  ...fields,
})

export const seen = (list: TaskList): SeenFile => ({ kind: 'text', text: writeTasks(list) })

/** The list with one story changed. */
export function edit(list: TaskList, id: string, fields: Partial<Story>): TaskList {
  return { ...list, userStories: list.userStories.map((story) => (story.id === id ? { ...story, ...fields } : story)) }
}

export const changed = (path: string, now: PathChange['now'] = 'file'): PathChange => ({
  path,
  kind: now === 'nothing' ? 'deleted' : 'modified',
  now,
})

/** One iteration through the referee: the verdict, and the list that stays. */
export function referee(
  before: TaskList,
  after: TaskList | Observation,
  mode: IterationMode,
  fields: Partial<Rules & { checks: Protection }> = {},
) {
  const snapshot = takeSnapshot(before, 'ralph/demo')
  const checks = fields.checks ?? { files: new Set(), scripts: new Map() }
  const given = rules({ ...protectionIn(before, fields.story ?? 'A', checks), ...fields })
  const now: Observation = 'userStories' in after ? { tasks: seen(after) } : after
  const verdict = judge(snapshot, now, mode, given)
  const repaired = repair(snapshot, now, mode, given)
  const stays = repaired.list
  if (stays === null) throw new Error('the runner always has a list')
  const read = readTasks(writeTasks(stays))
  return {
    ...verdict,
    repaired,
    list: stays,
    broken: verdict.illegal.map((violation) => violation.rule),
    missing: verdict.unfinished.map((item) => item.what),
    valid: read.ok ? [] : read.error.map((problem) => problem.message),
    story: (id: string) => stays.userStories.find((story) => story.id === id),
  }
}
