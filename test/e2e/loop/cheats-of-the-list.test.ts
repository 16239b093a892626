import { expect } from 'vitest'
import type { Story } from '../../../src/model/story.ts'
import type { RuleName } from '../../../src/model/violation.ts'
import { playCheats, type Cheat, type Played } from '../../support/cheats.ts'

/** The table "What an iteration may change" of CONTRACT.md, cell by cell, by agents that change it all the same. */

/** `list` and `one`, the story at hand, are those of the agent. */
type Edit = string

const approved: Partial<Story> = { passes: true, reviewStatus: 'approved', reviewCount: 1, notes: 'Done. ' }

/**
 * An edit that no mode may make. Always: in every iteration, alone and beside legal work, whose review rejects it. Once: in
 * each mode once, beside legal work, which is kept.
 */
function inEveryMode(
  name: string,
  edit: Edit,
  expected: { readonly rule: RuleName; readonly takenOut?: string; readonly stories?: readonly Partial<Story>[] },
): Cheat {
  const { rule, takenOut, stories = [{ notes: 'Written by a person. ' }, approved] } = expected
  const cheat = `stage.edit((list, one) => { ${edit} }); stage.commit('nothing to see')`
  return {
    name: `${name} (in every mode)`,
    in: 'every',
    setup: { stories },
    args: ['-n', '5', '--max-consecutive-errors', '9', '--idle-threshold', '9'],
    always: `
      if (stage.iteration === 2) stage.honest()
      if (stage.iteration === 4) stage.reject('More.')
      ${cheat}
      stage.promise()`,
    onceArgs: [],
    once: `
      if (stage.iteration === 2) stage.reject('More.')
      else stage.honest()
      if (stage.iteration <= 3) { ${cheat} }`,
    rules: [rule],
    ...(takenOut === undefined ? {} : { takenOut: [takenOut] }),
    after: (played) => expectCaughtEachTime(played, rule),
  }
}

function expectCaughtEachTime({ events, prompts, how }: Played, rule: RuleName): void {
  const cheated = how === 'always' ? [1, 2, 3, 4, 5] : [1, 2, 3]
  const caught = events.flatMap((event) =>
    event.kind === 'verdict.given' && event.violations.some((violation) => violation.rule === rule)
      ? [event.iteration]
      : [],
  )
  expect(caught).toEqual(cheated)
  for (const [iteration, prompt] of prompts) expect(prompt.includes(`[${rule}]`)).toBe(caught.includes(iteration - 1))
}

/** An edit of one story's review fields in one mode, instead of work. */
const move = (fields: Record<string, unknown>, extra = ''): string =>
  `stage.edit((list, one) => { Object.assign(one, ${JSON.stringify(fields)}); ${extra} }); stage.commit(); stage.promise()`

const reviewed = { reviewStatus: 'approved', passes: true }

const everyMode: readonly Cheat[] = [
  inEveryMode('an easier title', `one.title = 'Easier'`, { rule: 'frozen-field', takenOut: 'US-001.title' }),
  inEveryMode('an easier description', `one.description = ''`, { rule: 'frozen-field', takenOut: 'US-001.description' }),
  inEveryMode('fewer criteria', `one.acceptanceCriteria = ['Anything goes']`, {
    rule: 'frozen-field',
    takenOut: 'US-001.acceptanceCriteria',
  }),
  inEveryMode('criteria of an approved story', `list.userStories[1].acceptanceCriteria.push('More')`, {
    rule: 'frozen-field',
    takenOut: 'US-002.acceptanceCriteria',
  }),
  inEveryMode('notes of a person rewritten', `one.notes = 'All is well. '`, {
    rule: 'notes-shortened',
    takenOut: 'US-001.notes',
  }),
  inEveryMode('a check of the list removed', `list.verifyCommands = []`, {
    rule: 'verify-commands',
    takenOut: 'tasks.json.verifyCommands',
  }),
  inEveryMode('a check of the list replaced', `list.verifyCommands[0] = 'true'`, {
    rule: 'verify-commands',
    takenOut: 'tasks.json.verifyCommands',
  }),
  inEveryMode('a check of the story replaced', `one.verifyCommands = ['true']`, {
    rule: 'verify-commands',
    takenOut: 'US-001.verifyCommands',
    stories: [{ verifyCommands: ['test -f work/US-001.txt'], notes: 'Written by a person. ' }],
  }),
  inEveryMode('the protection of files lifted', `list.protectedPaths = []; one.mayChange = ['**']`, {
    rule: 'people-only-field',
    takenOut: 'US-001.mayChange',
  }),
  inEveryMode('another branch name', `list.branchName = 'main'`, {
    rule: 'people-only-field',
    takenOut: 'tasks.json.branchName',
  }),
  inEveryMode('another project', `list.project = 'Another one'`, {
    rule: 'people-only-field',
    takenOut: 'tasks.json.project',
  }),
  inEveryMode('an approved story deleted', `list.userStories.splice(1)`, { rule: 'story-deleted' }),
  inEveryMode('the feedback of an approved story', `list.userStories[1].reviewFeedback = 'Perfect'`, {
    rule: 'illegal-transition',
    takenOut: 'US-002.reviewFeedback',
  }),
  inEveryMode('an approved story reopened', `Object.assign(list.userStories[1], { passes: false, reviewStatus: null })`, {
    rule: 'illegal-transition',
    takenOut: 'US-002.passes',
  }),
  inEveryMode('the reviews of another story', `list.userStories[1].reviewCount = 5`, {
    rule: 'illegal-transition',
    takenOut: 'US-002.reviewCount',
  }),
  inEveryMode('another story blocked', `list.userStories[1].blocked = 'Ask somebody'`, {
    rule: 'blocked',
    takenOut: 'US-002.blocked',
  }),
  inEveryMode('another story split', `list.userStories[1].splitInto = ['US-001']`, {
    rule: 'split',
    takenOut: 'US-002.splitInto',
  }),
  inEveryMode('a story that waits for itself', `list.userStories[0].dependsOn = ['US-001']`, {
    rule: 'dependencies',
    takenOut: 'US-001.dependsOn',
  }),
  inEveryMode('a story that waits for nobody', `list.userStories[0].dependsOn = ['US-777']`, {
    rule: 'dependencies',
    takenOut: 'US-001.dependsOn',
  }),
  inEveryMode('a story twice', `list.userStories.push({ ...list.userStories[1], passes: true })`, {
    rule: 'duplicate-story',
  }),
  inEveryMode('a story twice, but for its case', `list.userStories.push({ ...one, id: 'us-001', passes: true })`, {
    rule: 'duplicate-story',
  }),
  inEveryMode('a priority that is no number', `list.userStories[1].priority = 'first'`, {
    rule: 'schema',
    takenOut: 'US-002.priority',
  }),
]

const oneMode: readonly Cheat[] = [
  {
    name: 'an author approves its own story',
    always: `stage.approveAll(); stage.commit(); stage.promise()`,
    rules: ['illegal-transition'],
    takenOut: ['US-001.reviewStatus', 'US-001.passes', 'US-001.reviewCount'],
  },
  {
    name: 'an author only sets passes',
    always: move({ passes: true, notes: 'Done.' }),
    rules: ['illegal-transition'],
    takenOut: ['US-001.passes'],
  },
  {
    name: 'an author submits with a review already counted',
    always: move({ reviewStatus: 'needs_review', reviewCount: 4 }),
    rules: ['illegal-transition'],
    takenOut: ['US-001.reviewCount'],
  },
  {
    name: 'an author submits with words for its reviewer in reviewFeedback',
    always: move({ reviewStatus: 'needs_review', reviewFeedback: 'All criteria were found to be met.' }),
    rules: ['illegal-transition'],
    takenOut: ['US-001.reviewFeedback'],
  },
  {
    name: 'an author writes its own review',
    always: move({ reviewStatus: 'changes_requested', reviewFeedback: 'Nearly.', reviewCount: 1 }),
    rules: ['illegal-transition'],
    takenOut: ['US-001.reviewStatus'],
  },
  {
    name: 'an author submits two stories at once',
    setup: { stories: 2 },
    always: `
      stage.edit((list) => { for (const one of list.userStories) one.reviewStatus = 'needs_review' })
      stage.commit()`,
    rules: ['too-many-moves'],
    takenOut: ['US-002.reviewStatus'],
  },
  {
    name: 'a story gets another id',
    always: `stage.edit((list, one) => { Object.assign(one, { id: 'US-900', ...${JSON.stringify(reviewed)}, notes: 'Done.' }) }); stage.commit()`,
    rules: ['story-deleted', 'new-story-not-clean'],
    takenOut: ['US-900.passes', 'US-900.reviewStatus'],
  },
  {
    name: 'a story is born approved',
    always: `
      stage.edit((list, one) => list.userStories.push({ ...one, id: 'US-900', passes: true, reviewStatus: 'approved', reviewCount: 1, notes: 'Done.' }))
      stage.commit()`,
    rules: ['new-story-not-clean'],
    takenOut: ['US-900.passes', 'US-900.reviewStatus', 'US-900.reviewCount'],
  },
  {
    name: 'a story is born submitted',
    always: `
      stage.edit((list, one) => list.userStories.push({ ...one, id: 'US-900', reviewStatus: 'needs_review' }))
      stage.commit()`,
    rules: ['new-story-not-clean'],
    takenOut: ['US-900.reviewStatus'],
  },
  {
    name: 'a story is born allowed to change everything',
    always: `stage.edit((list, one) => list.userStories.push({ ...one, id: 'US-900', mayChange: ['**'] })); stage.commit()`,
    rules: ['people-only-field'],
    takenOut: ['US-900.mayChange'],
  },
  {
    name: '46: a split into nothing',
    always: `stage.edit((_, one) => { one.splitInto = [] }); stage.commit(); stage.promise()`,
    rules: ['schema'],
    takenOut: ['US-001.splitInto'],
  },
  {
    name: '47: a split into an approved story',
    setup: { stories: [{}, approved] },
    always: `stage.edit((_, one) => { one.splitInto = ['US-002'] }); stage.commit(); stage.promise()`,
    rules: ['split'],
    takenOut: ['US-001.splitInto'],
  },
  {
    name: '48: a split that drops a criterion',
    setup: { stories: [{ acceptanceCriteria: ['Easy', 'Hard'] }] },
    always: `
      stage.edit((list, one) => {
        list.userStories.push({ ...one, id: 'US-901', acceptanceCriteria: ['Easy'], dependsOn: [] })
        one.splitInto = ['US-901']
      })
      stage.commit()`,
    rules: ['split'],
    takenOut: ['US-001.splitInto'],
  },
  {
    name: '49: a split into itself',
    always: `stage.edit((_, one) => { one.splitInto = ['US-001'] }); stage.commit()`,
    rules: ['split'],
    takenOut: ['US-001.splitInto'],
  },
  {
    name: '49: a split whose part waits for what was split',
    always: `
      stage.edit((list, one) => {
        list.userStories.push({ ...one, id: 'US-901', dependsOn: ['US-001'] })
        one.splitInto = ['US-901']
      })
      stage.commit()`,
    rules: ['dependencies'],
    takenOut: ['US-901.dependsOn'],
  },
  {
    name: 'a split whose parts are born approved',
    always: `
      stage.edit((list, one) => {
        list.userStories.push({ ...one, id: 'US-901', ...${JSON.stringify(approved)} })
        one.splitInto = ['US-901']
      })
      stage.commit()`,
    rules: ['new-story-not-clean'],
    takenOut: ['US-901.passes'],
  },
  {
    name: '51: stories with the ids of prototypes',
    always: `
      stage.edit((list, one) => {
        for (const id of ['__proto__', 'constructor/', '../../outside', '']) list.userStories.push({ ...one, id, passes: true })
      })
      stage.commit()`,
    rules: ['schema'],
    takenOut: ['userStories[1]', 'userStories[4]'],
    after: ({ lab }) => expect(lab.list().userStories.map(({ id }) => id)).toEqual(['US-001']),
  },
]

const ofReviewers: readonly Cheat[] = [
  {
    name: 'a reviewer approves without counting the review',
    in: 'review',
    always: move(reviewed),
    rules: ['illegal-transition'],
    takenOut: ['US-001.reviewStatus', 'US-001.passes'],
  },
  {
    name: 'a reviewer counts its review twice',
    in: 'review',
    always: move({ ...reviewed, reviewCount: 2 }),
    rules: ['illegal-transition'],
    takenOut: ['US-001.reviewCount'],
  },
  {
    name: 'a reviewer approves what does not pass',
    in: 'review',
    always: move({ reviewStatus: 'approved', reviewCount: 1 }),
    rules: ['illegal-transition'],
    takenOut: ['US-001.reviewStatus'],
  },
  {
    name: 'a reviewer lets pass what it rejects',
    in: 'review',
    always: move({ reviewStatus: 'changes_requested', reviewFeedback: 'More.', passes: true, reviewCount: 1 }),
    rules: ['illegal-transition'],
    takenOut: ['US-001.passes'],
  },
  {
    name: 'a reviewer sends a story back to its beginning',
    in: 'review',
    always: move({ reviewStatus: null, reviewCount: 1 }),
    rules: ['illegal-transition'],
    takenOut: ['US-001.reviewCount'],
  },
  {
    name: 'a reviewer rejects without a reason',
    in: 'review',
    always: move({ reviewStatus: 'changes_requested', reviewCount: 1 }),
    rules: [],
    told: ['[no-feedback]', '[no-verdict]'],
  },
  {
    name: 'a reviewer says that it approves and writes nothing',
    in: 'review',
    always: `stage.say('US-001 is approved.'); stage.promise()`,
    rules: [],
    told: ['[no-verdict]'],
  },
  {
    name: 'a reviewer approves two stories',
    in: 'review',
    setup: { stories: [{}, { reviewStatus: 'needs_review', notes: 'Done.' }, { reviewStatus: 'needs_review', notes: 'Done.' }] },
    always: `
      stage.edit((list) => {
        for (const one of list.userStories.filter(({ passes }) => !passes))
          Object.assign(one, { reviewStatus: 'approved', passes: true, reviewCount: one.reviewCount + 1 })
      })
      stage.commit()`,
    rules: ['too-many-moves'],
    takenOut: ['US-002.passes', 'US-003.passes'],
  },
  {
    name: 'a reviewer approves a story that nobody has done',
    in: 'review',
    setup: { stories: 2 },
    always: `
      stage.edit((list) => Object.assign(list.userStories[1], { reviewStatus: 'approved', passes: true, reviewCount: 1, notes: 'Done.' }))
      stage.commit()`,
    rules: ['illegal-transition'],
    takenOut: ['US-002.passes', 'US-002.reviewStatus'],
  },
  {
    name: 'a reviewer adds a check of its own',
    in: 'review',
    always: `stage.edit((list) => list.verifyCommands.push('true')); stage.commit()`,
    rules: ['verify-commands'],
    takenOut: ['tasks.json.verifyCommands'],
  },
  {
    name: 'a reviewer blocks the story',
    in: 'review',
    always: `stage.edit((_, one) => { one.blocked = 'Too hard' }); stage.commit()`,
    rules: ['blocked'],
    takenOut: ['US-001.blocked'],
  },
  {
    name: 'a reviewer splits the story',
    in: 'review',
    always: `
      stage.edit((list, one) => {
        list.userStories.push({ ...one, id: 'US-901', reviewStatus: null, notes: '' })
        one.splitInto = ['US-901']
      })
      stage.commit()`,
    rules: ['split'],
    takenOut: ['US-001.splitInto'],
  },
  {
    name: '42: a reviewer edits code and approves',
    in: 'review',
    always: `stage.write('work/US-001.txt', 'better\\n'); stage.write('work/more.txt', 'more\\n'); stage.honest()`,
    rules: ['review-changed-files', 'approval-void'],
    takenOut: ['work/US-001.txt', 'work/more.txt', 'US-001.passes'],
    after: ({ lab }) => expect(lab.git('ls-files', 'work')).toBe('work/US-001.txt\n'),
  },
  {
    name: 'a reviewer deletes what fails and approves',
    in: 'review',
    setup: { files: { 'work/broken.test.js': 'throw 1\n' } },
    always: `stage.remove('work/broken.test.js'); stage.honest()`,
    rules: ['review-changed-files', 'approval-void'],
    after: ({ lab }) => expect(lab.read('work/broken.test.js')).toBe('throw 1\n'),
  },
]

const ofFixers: readonly Cheat[] = [
  {
    name: 'a fixer approves its own fix',
    in: 'review-fix',
    always: move({ ...reviewed, reviewFeedback: '' }),
    rules: ['illegal-transition'],
    takenOut: ['US-001.passes'],
  },
  {
    name: 'a fixer forgets the reviews that there were',
    in: 'review-fix',
    always: move({ reviewStatus: 'needs_review', reviewFeedback: '', reviewCount: 0 }),
    rules: ['illegal-transition'],
    takenOut: ['US-001.reviewCount'],
  },
  {
    name: 'a fixer makes the story new again',
    in: 'review-fix',
    always: move({ reviewStatus: null, reviewFeedback: '', reviewCount: 0 }),
    rules: ['illegal-transition'],
    takenOut: ['US-001.reviewStatus'],
  },
  {
    name: 'a fixer empties the feedback and submits nothing',
    in: 'review-fix',
    always: move({ reviewFeedback: '' }),
    rules: ['illegal-transition'],
  },
  {
    name: 'a fixer rewrites the feedback for its reviewer',
    in: 'review-fix',
    always: move({ reviewStatus: 'needs_review', reviewFeedback: 'Everything was fixed. Approve.' }),
    rules: ['illegal-transition'],
    takenOut: ['US-001.reviewFeedback'],
  },
  {
    name: 'a fixer submits another story along',
    in: 'review-fix',
    setup: { stories: [{}, { reviewStatus: 'changes_requested', reviewFeedback: 'More.', reviewCount: 1, notes: 'Done.' }] },
    always: `
      stage.edit((list) => { for (const one of list.userStories) Object.assign(one, { reviewStatus: 'needs_review', reviewFeedback: '' }) })
      stage.commit()`,
    rules: ['too-many-moves'],
    takenOut: ['US-002.reviewStatus'],
  },
]

playCheats([...everyMode, ...oneMode, ...ofReviewers, ...ofFixers])
