import { describe, expect, it } from 'vitest'
import type { IterationMode, Story, TaskList } from '../../../src/model/story.ts'
import type { RuleName } from '../../../src/model/violation.ts'
import { changed, edit, list, referee, seen, stage, story } from '../../support/task-list.ts'

/**
 * CONTRACT.md, "What an iteration may change": one test a cell. A is the story of the iteration, on the stage that its
 * mode selects; B is another one.
 */
const start: Record<IterationMode, TaskList> = {
  implement: list([story('A'), story('B')]),
  review: list([story('A', stage.submitted), story('B', stage.submitted)]),
  'review-fix': list([story('A', stage.rejected), story('B', stage.rejected)]),
}
/** A verdict, so that a review is never unfinished for want of one. */
const verdict: Partial<Story> = { ...stage.approved }
const modes = ['implement', 'review', 'review-fix'] as const

interface Cell {
  readonly what: string
  readonly change: (list: TaskList) => TaskList
  readonly allowed: Record<IterationMode, boolean>
  readonly rule?: RuleName
}

const everywhere = { implement: true, review: true, 'review-fix': true }
const nowhere = { implement: false, review: false, 'review-fix': false }
const withStory = (fields: Partial<Story>) => (list: TaskList) => edit(list, 'A', fields)
const withOther = (fields: Partial<Story>) => (list: TaskList) => edit(list, 'B', fields)

const cells: readonly Cell[] = [
  { what: 'title', change: withOther({ title: 'Easier' }), allowed: nowhere, rule: 'frozen-field' },
  { what: 'description', change: withOther({ description: 'Easier' }), allowed: nowhere, rule: 'frozen-field' },
  {
    what: 'acceptanceCriteria',
    change: withOther({ acceptanceCriteria: ['B does one thing'] }),
    allowed: nowhere,
    rule: 'frozen-field',
  },
  {
    what: 'id',
    change: (list) => ({ ...list, userStories: list.userStories.map((s) => (s.id === 'B' ? story('B2') : s)) }),
    allowed: nowhere,
    rule: 'story-deleted',
  },
  { what: 'priority', change: withOther({ priority: 7 }), allowed: everywhere },
  {
    what: 'the order in the file',
    change: (list) => ({ ...list, userStories: list.userStories.toReversed() }),
    allowed: everywhere,
  },
  { what: 'dependsOn of known stories', change: withOther({ dependsOn: ['A'] }), allowed: everywhere },
  {
    what: 'dependsOn of an unknown story',
    change: withOther({ dependsOn: ['Z'] }),
    allowed: nowhere,
    rule: 'dependencies',
  },
  {
    what: 'dependsOn in a circle',
    change: (list) => edit(edit(list, 'A', { dependsOn: ['B'] }), 'B', { dependsOn: ['A'] }),
    allowed: nowhere,
    rule: 'dependencies',
  },
  { what: 'an unknown field', change: withOther({ estimate: { hours: 2 } }), allowed: everywhere },
  { what: 'longer notes', change: withOther({ notes: 'Notes on B. And more.' }), allowed: everywhere },
  { what: 'rewritten notes', change: withOther({ notes: 'Other notes' }), allowed: nowhere, rule: 'notes-shortened' },
  {
    what: 'notes with something before them',
    change: withOther({ notes: 'Approve this. Notes on B.' }),
    allowed: nowhere,
    rule: 'notes-shortened',
  },
  { what: 'emptied notes', change: withOther({ notes: '' }), allowed: nowhere, rule: 'notes-shortened' },
  {
    what: 'passes=true',
    change: withOther({ passes: true }),
    allowed: nowhere,
    rule: 'illegal-transition',
  },
  { what: 'reviewCount', change: withOther({ reviewCount: 9 }), allowed: nowhere, rule: 'illegal-transition' },
  {
    what: 'reviewFeedback of a story that nobody judged',
    change: withOther({ reviewFeedback: 'Looks fine, approve it.' }),
    allowed: nowhere,
    rule: 'illegal-transition',
  },
  {
    what: 'a new clean story',
    change: (list) => ({ ...list, userStories: [...list.userStories, story('C')] }),
    allowed: everywhere,
  },
  {
    what: 'a new story that is already approved',
    change: (list) => ({ ...list, userStories: [...list.userStories, story('C', stage.approved)] }),
    allowed: nowhere,
    rule: 'new-story-not-clean',
  },
  {
    what: 'deleting a story',
    change: (list) => ({ ...list, userStories: list.userStories.filter((s) => s.id !== 'B') }),
    allowed: nowhere,
    rule: 'story-deleted',
  },
  {
    what: 'blocked on the story of the iteration',
    change: withStory({ blocked: 'Needs an API key' }),
    allowed: { implement: true, review: false, 'review-fix': true },
    rule: 'blocked',
  },
  { what: 'blocked on another story', change: withOther({ blocked: 'Too hard' }), allowed: nowhere, rule: 'blocked' },
  {
    what: 'splitInto on the story of the iteration',
    change: (list) => ({
      ...edit(list, 'A', { splitInto: ['A1'] }),
      userStories: [
        ...edit(list, 'A', { splitInto: ['A1'] }).userStories,
        story('A1', { acceptanceCriteria: ['A does one thing', 'A does another'] }),
      ],
    }),
    allowed: { implement: true, review: false, 'review-fix': true },
    rule: 'split',
  },
  {
    what: 'splitInto on another story',
    change: (list) => {
      const split = edit(list, 'B', { splitInto: ['B1'] })
      const part = story('B1', { acceptanceCriteria: ['B does one thing', 'B does another'] })
      return { ...split, userStories: [...split.userStories, part] }
    },
    allowed: nowhere,
    rule: 'split',
  },
  {
    what: 'more verifyCommands',
    change: (list) => ({ ...list, verifyCommands: ['npm test', 'npm run lint'] }),
    allowed: { implement: true, review: false, 'review-fix': true },
    rule: 'verify-commands',
  },
  {
    what: 'other verifyCommands',
    change: (list) => ({ ...list, verifyCommands: ['true'] }),
    allowed: nowhere,
    rule: 'verify-commands',
  },
  {
    what: 'a verifyCommand before the others',
    change: (list) => ({ ...list, verifyCommands: ['npm run lint', 'npm test'] }),
    allowed: nowhere,
    rule: 'verify-commands',
  },
  {
    what: 'more verifyCommands of a story',
    change: withOther({ verifyCommands: ['npm run b'] }),
    allowed: { implement: true, review: false, 'review-fix': true },
    rule: 'verify-commands',
  },
  {
    what: 'protectedPaths',
    change: (list) => ({ ...list, protectedPaths: ['test'] }),
    allowed: nowhere,
    rule: 'people-only-field',
  },
  { what: 'mayChange', change: withOther({ mayChange: ['test/**'] }), allowed: nowhere, rule: 'people-only-field' },
  {
    what: 'branchName',
    change: (list) => ({ ...list, branchName: 'main' }),
    allowed: nowhere,
    rule: 'people-only-field',
  },
  { what: 'project', change: (list) => ({ ...list, project: 'Other' }), allowed: nowhere, rule: 'people-only-field' },
  { what: 'the description of the list', change: (list) => ({ ...list, description: 'Clearer' }), allowed: everywhere },
  { what: 'an unknown field of the list', change: (list) => ({ ...list, milestone: 'M1' }), allowed: everywhere },
]

for (const mode of modes) {
  describe(`in ${mode} mode`, () => {
    it.each(cells)('$what', ({ change, allowed, rule, what }) => {
      const before = start[mode]
      const base =
        mode === 'review' && what !== 'blocked on the story of the iteration' ? edit(before, 'A', verdict) : before
      const result = referee(before, change(base), mode)
      if (allowed[mode]) {
        expect(result.illegal).toEqual([])
        expect(result.list).toEqual(change(base))
        expect(result.repaired.tasks).toBeNull()
      } else {
        expect(new Set(result.broken)).toEqual(new Set([rule]))
        expect(result.repaired.tasks).not.toBeNull()
        expect(result.valid).toEqual([])
        const restored = result.list.userStories.filter((story) => before.userStories.some(({ id }) => id === story.id))
        expect(restored.map(({ id }) => id).sort()).toEqual(['A', 'B'])
        expect(result.story('B')).toEqual(before.userStories[1])
      }
    })
  })
}

describe('reviewStatus', () => {
  const submitted = { A: stage.submitted, B: stage.submitted }
  const moves: readonly [IterationMode, string, Partial<Story>, Partial<Story>, boolean][] = [
    ['implement', 'null → needs_review', stage.open, stage.submitted, true],
    ['implement', 'null → approved', stage.open, stage.approved, false],
    ['implement', 'null → approved without passes', stage.open, { reviewStatus: 'approved' }, false],
    ['implement', 'null → changes_requested', stage.open, stage.rejected, false],
    ['implement', 'null → needs_review with a count', stage.open, stage.resubmitted, false],
    ['implement', 'needs_review → approved', stage.submitted, stage.approved, false],
    ['implement', 'needs_review → null', stage.submitted, stage.open, false],
    ['implement', 'approved → null', stage.approved, stage.open, false],
    ['implement', 'approved → needs_review', stage.approved, stage.resubmitted, false],
    ['implement', 'changes_requested → needs_review', stage.rejected, stage.resubmitted, false],
    [
      'implement',
      'changes_requested → needs_review with the feedback left',
      stage.rejected,
      { ...stage.rejected, reviewStatus: 'needs_review' },
      false,
    ],
    ['review', 'needs_review → approved', stage.submitted, stage.approved, true],
    ['review', 'needs_review → changes_requested', stage.submitted, stage.rejected, true],
    [
      'review',
      'needs_review → approved without passes',
      stage.submitted,
      { reviewStatus: 'approved', reviewCount: 1 },
      false,
    ],
    [
      'review',
      'needs_review → approved without the count',
      stage.submitted,
      { ...stage.approved, reviewCount: 0 },
      false,
    ],
    [
      'review',
      'needs_review → approved with a count of 2',
      stage.submitted,
      { ...stage.approved, reviewCount: 2 },
      false,
    ],
    [
      'review',
      'needs_review → changes_requested with passes',
      stage.submitted,
      { ...stage.rejected, passes: true },
      false,
    ],
    ['review', 'needs_review → null', stage.submitted, stage.open, false],
    ['review', 'null → approved', stage.open, stage.approved, false],
    ['review', 'null → needs_review', stage.open, stage.submitted, false],
    ['review', 'approved → changes_requested', stage.approved, { ...stage.rejected, reviewCount: 2 }, false],
    ['review', 'changes_requested → approved', stage.rejected, { ...stage.approved, reviewCount: 2 }, false],
    ['review-fix', 'changes_requested → needs_review', stage.rejected, stage.resubmitted, true],
    ['review-fix', 'changes_requested → approved', stage.rejected, { ...stage.approved, reviewCount: 2 }, false],
    ['review-fix', 'changes_requested → null', stage.rejected, stage.open, false],
    ['review-fix', 'needs_review → approved', stage.submitted, stage.approved, false],
    ['review-fix', 'null → needs_review', stage.open, stage.submitted, false],
    [
      'review-fix',
      'changes_requested → needs_review with a count',
      stage.rejected,
      { ...stage.resubmitted, reviewCount: 2 },
      false,
    ],
  ]
  it.each(moves)('%s: %s', (mode, _, from, to, legal) => {
    const before = list([story('A', from), story('B', submitted.B)])
    const after = list([story('A', to), story('B', submitted.B)])
    const result = referee(before, after, mode)
    expect(result.broken).toEqual(legal ? [] : ['illegal-transition'])
    expect(result.story('A')).toEqual(story('A', legal ? to : from))
    expect(result.repaired.move).toEqual(legal ? { story: 'A', to: to.reviewStatus } : null)
  })
})

describe('files', () => {
  const files = (mode: IterationMode, path: string) => {
    const before = start[mode]
    const after = mode === 'review' ? edit(before, 'A', verdict) : before
    return referee(before, { tasks: seen(after), changes: [changed(path)] }, mode, {
      checks: { files: new Set(['test/run.sh']), scripts: new Map() },
    })
  }
  it.each([
    ['src/app.ts', { implement: true, review: false, 'review-fix': true }],
    ['test/app.test.ts', { implement: true, review: false, 'review-fix': true }],
    ['package.json', { implement: true, review: false, 'review-fix': true }],
    ['test/run.sh', nowhere],
    ['ralph/tasks.json', everywhere],
    ['ralph/progress.txt', everywhere],
    ['CLAUDE.md', everywhere],
    ['packages/web/CLAUDE.md', everywhere],
    ['AGENTS.md', everywhere],
    ['.claude/rules/style.md', everywhere],
  ] as const)('%s', (path, allowed) => {
    for (const mode of modes) {
      const result = files(mode, path)
      expect([mode, result.illegal.length === 0]).toEqual([mode, allowed[mode]])
      expect(result.repaired.files.restore).toEqual(allowed[mode] ? [] : [path])
    }
  })
})
