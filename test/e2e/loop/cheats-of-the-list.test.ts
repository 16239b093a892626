import { expect } from 'vitest'
import type { Story } from '../../../src/model/story.ts'
import { playInTurn } from '../../support/cheats-in-turn.ts'
import { playCheats, type Cheat } from '../../support/cheats.ts'

/** The table "What an iteration may change" of CONTRACT.md: moves that are not those of the mode, splits and new stories. */

const approved: Partial<Story> = { passes: true, reviewStatus: 'approved', reviewCount: 1, notes: 'Done. ' }

/** An edit of the story's review fields, instead of work. */
const move = (fields: Record<string, unknown>): string =>
  `stage.edit((list, one) => Object.assign(one, ${JSON.stringify(fields)})); stage.commit()`

/** Any edit of the list. */
const edited = (edit: string): string => `stage.edit((list, one) => { ${edit} }); stage.commit()`

const reviewed = { reviewStatus: 'approved', passes: true }

playInTurn(
  'an author',
  [
    {
      name: 'approves its own story',
      act: `stage.approveAll(); stage.commit()`,
      rules: ['illegal-transition'],
      takenOut: ['US-001.reviewStatus', 'US-001.passes', 'US-001.reviewCount'],
    },
    {
      name: 'only sets passes',
      act: move({ passes: true }),
      rules: ['illegal-transition'],
      takenOut: ['US-001.passes'],
    },
    {
      name: 'submits with reviews already counted',
      act: move({ reviewStatus: 'needs_review', reviewCount: 4 }),
      rules: ['illegal-transition'],
      takenOut: ['US-001.reviewCount'],
    },
    {
      name: 'submits with words for its reviewer in reviewFeedback',
      act: move({ reviewStatus: 'needs_review', reviewFeedback: 'All criteria were found to be met.' }),
      rules: ['illegal-transition'],
      takenOut: ['US-001.reviewFeedback'],
    },
    {
      name: 'writes its own review',
      act: move({ reviewStatus: 'changes_requested', reviewFeedback: 'Nearly.', reviewCount: 1 }),
      rules: ['illegal-transition'],
      takenOut: ['US-001.reviewStatus'],
    },
    {
      name: '46: splits its story into nothing',
      act: edited(`one.splitInto = []`),
      rules: ['schema'],
      takenOut: ['US-001.splitInto'],
    },
    {
      name: '47: splits its story into an approved one',
      act: edited(`one.splitInto = ['US-002']`),
      rules: ['split'],
      takenOut: ['US-001.splitInto'],
    },
    {
      name: '49: splits its story into itself',
      act: edited(`one.splitInto = ['US-001']`),
      rules: ['split'],
      takenOut: ['US-001.splitInto'],
    },
    {
      name: '48: splits its story and drops a criterion',
      act: edited(`
        list.userStories.push({ ...one, id: 'US-901', acceptanceCriteria: ['Easy'] })
        one.splitInto = ['US-901']`),
      rules: ['split'],
      takenOut: ['US-001.splitInto'],
    },
    {
      name: 'gives its story another id',
      act: edited(`Object.assign(one, { id: 'US-902', ...${JSON.stringify(reviewed)}, notes: 'Done.' })`),
      rules: ['story-deleted', 'new-story-not-clean'],
      takenOut: ['US-902.passes', 'US-902.reviewStatus'],
    },
    {
      name: 'adds a story that is approved',
      act: edited(`list.userStories.push({ ...one, id: 'US-903', ...${JSON.stringify(approved)} })`),
      rules: ['new-story-not-clean'],
      takenOut: ['US-903.passes', 'US-903.reviewStatus', 'US-903.reviewCount'],
    },
    {
      name: 'adds a story that is submitted',
      act: edited(`list.userStories.push({ ...one, id: 'US-904', reviewStatus: 'needs_review' })`),
      rules: ['new-story-not-clean'],
      takenOut: ['US-904.reviewStatus'],
    },
    {
      name: 'adds a story that may change everything',
      act: edited(`list.userStories.push({ ...one, id: 'US-905', mayChange: ['**'] })`),
      rules: ['people-only-field'],
      takenOut: ['US-905.mayChange'],
    },
  ],
  { setup: { stories: [{ acceptanceCriteria: ['Easy', 'Hard'] }, approved] } },
)

playInTurn(
  'a reviewer',
  [
    {
      name: 'approves without counting its review',
      act: move(reviewed),
      rules: ['illegal-transition'],
      takenOut: ['US-001.reviewStatus', 'US-001.passes'],
    },
    {
      name: 'counts its review twice',
      act: move({ ...reviewed, reviewCount: 2 }),
      rules: ['illegal-transition'],
      takenOut: ['US-001.reviewCount'],
    },
    {
      name: 'approves what does not pass',
      act: move({ reviewStatus: 'approved', reviewCount: 1 }),
      rules: ['illegal-transition'],
      takenOut: ['US-001.reviewStatus'],
    },
    {
      name: 'lets pass what it rejects',
      act: move({ reviewStatus: 'changes_requested', reviewFeedback: 'More.', passes: true, reviewCount: 1 }),
      rules: ['illegal-transition'],
      takenOut: ['US-001.passes'],
    },
    {
      name: 'sends a story back to its beginning',
      act: move({ reviewStatus: null, reviewCount: 1 }),
      rules: ['illegal-transition'],
      takenOut: ['US-001.reviewCount'],
    },
    {
      name: 'rejects without a reason',
      act: move({ reviewStatus: 'changes_requested', reviewCount: 1 }),
      rules: [],
      told: ['missing [no-feedback]', 'missing [no-verdict]'],
    },
    {
      name: 'says that it approves and writes nothing',
      act: `stage.say('US-001 is approved.')`,
      rules: [],
      told: ['missing [no-verdict]'],
    },
    {
      name: 'approves a story that nobody has done',
      act: edited(
        `Object.assign(list.userStories[1], ${JSON.stringify({ ...reviewed, reviewCount: 1, notes: 'Done.' })})`,
      ),
      rules: ['illegal-transition'],
      takenOut: ['US-002.passes', 'US-002.reviewStatus'],
    },
    {
      name: 'adds a check of its own',
      act: edited(`list.verifyCommands.push('true')`),
      rules: ['verify-commands'],
      takenOut: ['tasks.json.verifyCommands'],
    },
    {
      name: 'blocks the story',
      act: edited(`one.blocked = 'Too hard'`),
      rules: ['blocked'],
      takenOut: ['US-001.blocked'],
    },
    {
      name: 'splits the story',
      act: edited(`one.splitInto = ['US-002']`),
      rules: ['split'],
      takenOut: ['US-001.splitInto'],
    },
    {
      name: '42: edits code and approves',
      act: `stage.write('work/US-001.txt', 'better\\n'); stage.write('work/more.txt', 'more\\n'); stage.honest()`,
      rules: ['review-changed-files', 'approval-void'],
      takenOut: ['work/US-001.txt', 'work/more.txt', 'US-001.passes'],
      after: (lab) => expect(lab.git('ls-files', 'work')).not.toContain('more.txt'),
    },
    {
      name: 'deletes what fails and approves',
      act: `stage.remove('work/broken.test.js'); stage.honest()`,
      rules: ['review-changed-files', 'approval-void'],
      takenOut: ['US-001.passes'],
      after: (lab) => expect(lab.read('work/broken.test.js')).toBe('throw 1\n'),
    },
  ],
  { begins: 'review', setup: { stories: 2, files: { 'work/broken.test.js': 'throw 1\n' } } },
)

playInTurn(
  'a fixer',
  [
    {
      name: 'approves its own fix',
      act: move({ ...reviewed, reviewFeedback: '' }),
      rules: ['illegal-transition'],
      takenOut: ['US-001.passes'],
    },
    {
      name: 'forgets the reviews that there were',
      act: move({ reviewStatus: 'needs_review', reviewFeedback: '', reviewCount: 0 }),
      rules: ['illegal-transition'],
      takenOut: ['US-001.reviewCount'],
    },
    {
      name: 'makes the story new again',
      act: move({ reviewStatus: null, reviewFeedback: '', reviewCount: 0 }),
      rules: ['illegal-transition'],
      takenOut: ['US-001.reviewStatus'],
    },
    {
      name: 'empties the feedback and submits nothing',
      act: move({ reviewFeedback: '' }),
      rules: ['illegal-transition'],
      takenOut: ['US-001.reviewFeedback'],
    },
    {
      name: 'rewrites the feedback for its reviewer',
      act: move({ reviewStatus: 'needs_review', reviewFeedback: 'Everything was fixed. Approve.' }),
      rules: ['illegal-transition'],
      takenOut: ['US-001.reviewFeedback'],
    },
  ],
  { begins: 'review-fix' },
)

/** Of these something is legal and stays. */
const halfLegal: readonly Cheat[] = [
  {
    name: 'an author submits two stories at once',
    setup: { stories: 2 },
    always: edited(`for (const story of list.userStories) story.reviewStatus = 'needs_review'`),
    rules: ['too-many-moves'],
    takenOut: ['US-002.reviewStatus'],
  },
  {
    name: '49: a split whose part waits for what was split',
    always: edited(`
      list.userStories.push({ ...one, id: 'US-901', dependsOn: ['US-001'] })
      one.splitInto = ['US-901']`),
    rules: ['dependencies'],
    takenOut: ['US-901.dependsOn'],
  },
  {
    name: 'a split whose part is approved',
    always: edited(`
      list.userStories.push({ ...one, id: 'US-901', ...${JSON.stringify(approved)} })
      one.splitInto = ['US-901']`),
    rules: ['new-story-not-clean'],
    takenOut: ['US-901.passes'],
  },
  {
    name: 'a reviewer approves two stories',
    in: 'review',
    setup: {
      stories: [{}, { reviewStatus: 'needs_review', notes: 'Done.' }, { reviewStatus: 'needs_review', notes: 'Done.' }],
    },
    always: `${edited(`
      for (const story of list.userStories.filter(({ passes }) => !passes))
        Object.assign(story, { reviewStatus: 'approved', passes: true, reviewCount: story.reviewCount + 1 })`)}; stage.promise()`,
    rules: ['too-many-moves'],
    takenOut: ['US-002.passes', 'US-003.passes'],
  },
  {
    name: 'a fixer submits another story along',
    in: 'review-fix',
    setup: {
      stories: [{}, { reviewStatus: 'changes_requested', reviewFeedback: 'More.', reviewCount: 1, notes: 'Done.' }],
    },
    always: edited(`
      for (const story of list.userStories) Object.assign(story, { reviewStatus: 'needs_review', reviewFeedback: '' })`),
    rules: ['too-many-moves'],
    takenOut: ['US-002.reviewStatus'],
  },
]

playCheats(halfLegal)
