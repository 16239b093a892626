import { beforeAll, describe, expect, it } from 'vitest'
import type { Story } from '../../../src/model/story.ts'
import type { RuleName, Violation } from '../../../src/model/violation.ts'
import { playInTurn } from '../../support/cheats-in-turn.ts'
import { play, playCheats, type Cheat, type Played } from '../../support/cheats.ts'
import type { LoopSetup } from '../../support/loop-project.ts'

/** The table "What an iteration may change" of CONTRACT.md, cell by cell, by agents that change it all the same. */

/** A cell of the table that no mode may change. */
interface Cell {
  readonly name: string
  /** What the agent does: `list` and `one`, the story at hand, are its own. */
  readonly edit: string
  /** The rule, and words of what it says. */
  readonly caught: readonly [RuleName, string]
  readonly takenOut?: string
}

const approved: Partial<Story> = { passes: true, reviewStatus: 'approved', reviewCount: 1, notes: 'Done. ' }

/**
 * Cells that are changed together, because each run costs a second. Always: in every iteration, alone and beside legal work,
 * whose review rejects it. Once: in each mode once, beside legal work, which is kept.
 */
function together(cells: readonly Cell[], setup: LoopSetup): Cheat {
  const cheat = `stage.edit((list, one) => { ${cells.map(({ edit }) => edit).join('; ')} }); stage.commit('nothing to see')`
  return {
    name: cells.map(({ name }) => name).join(', '),
    in: 'every',
    setup: {
      ...setup,
      stories: [
        { notes: 'By a person. ', verifyCommands: ['test -f work/US-001.txt'] },
        ...Array.from({ length: 8 }, () => approved),
      ],
    },
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
    rules: [],
  }
}

const tables: readonly { readonly what: string; readonly cells: readonly Cell[]; readonly setup?: LoopSetup }[] = [
  {
    what: 'what people wrote',
    cells: [
      {
        name: 'an easier title',
        edit: `one.title = 'Easier'`,
        caught: ['frozen-field', 'US-001: title'],
        takenOut: 'US-001.title',
      },
      {
        name: 'an easier description',
        edit: `one.description = ''`,
        caught: ['frozen-field', 'US-001: description'],
        takenOut: 'US-001.description',
      },
      {
        name: 'easier criteria',
        edit: `one.acceptanceCriteria = ['Anything goes']`,
        caught: ['frozen-field', 'US-001: acceptanceCriteria'],
        takenOut: 'US-001.acceptanceCriteria',
      },
      {
        name: 'criteria of an approved story',
        edit: `list.userStories[1].acceptanceCriteria.push('More')`,
        caught: ['frozen-field', 'US-002: acceptanceCriteria'],
        takenOut: 'US-002.acceptanceCriteria',
      },
      {
        name: 'notes rewritten',
        edit: `one.notes = 'All is well. '`,
        caught: ['notes-shortened', 'US-001'],
        takenOut: 'US-001.notes',
      },
      {
        name: 'notes of another story removed',
        edit: `delete list.userStories[2].notes`,
        caught: ['notes-shortened', 'US-003'],
      },
      {
        name: 'another project',
        edit: `list.project = 'Another one'`,
        caught: ['people-only-field', 'tasks.json: project'],
        takenOut: 'tasks.json.project',
      },
      {
        name: 'another branch name',
        edit: `list.branchName = 'main'`,
        caught: ['people-only-field', 'tasks.json: branchName'],
        takenOut: 'tasks.json.branchName',
      },
    ],
  },
  {
    what: 'what the checks stand on',
    setup: { list: { protectedPaths: ['docs/'] }, verifyCommands: ['test -d work', 'test -f README.md'] },
    cells: [
      {
        name: 'a check of the list removed',
        edit: `list.verifyCommands.pop()`,
        caught: ['verify-commands', 'tasks.json'],
        takenOut: 'tasks.json.verifyCommands',
      },
      {
        name: 'a check of the story replaced',
        edit: `one.verifyCommands = ['true']`,
        caught: ['verify-commands', 'US-001'],
        takenOut: 'US-001.verifyCommands',
      },
      {
        name: 'protected paths removed',
        edit: `delete list.protectedPaths`,
        caught: ['people-only-field', 'tasks.json: protectedPaths'],
      },
      {
        name: 'leave to change everything',
        edit: `one.mayChange = ['**']`,
        caught: ['people-only-field', 'US-001: mayChange'],
        takenOut: 'US-001.mayChange',
      },
      {
        name: 'leave for another story',
        edit: `list.userStories[1].mayChange = ['**']`,
        caught: ['people-only-field', 'US-002: mayChange'],
        takenOut: 'US-002.mayChange',
      },
    ],
  },
  {
    what: 'stories that are not at hand',
    cells: [
      {
        name: 'deleted',
        edit: `list.userStories.splice(list.userStories.findIndex(({ id }) => id === 'US-009'), 1)`,
        caught: ['story-deleted', 'US-009'],
      },
      {
        name: 'praised',
        edit: `list.userStories[1].reviewFeedback = 'Perfect'`,
        caught: ['illegal-transition', 'US-002'],
        takenOut: 'US-002.reviewFeedback',
      },
      {
        name: 'reopened',
        edit: `Object.assign(list.userStories[2], { passes: false, reviewStatus: null })`,
        caught: ['illegal-transition', 'US-003'],
        takenOut: 'US-003.passes',
      },
      {
        name: 'reviewed more often',
        edit: `list.userStories[3].reviewCount = 5`,
        caught: ['illegal-transition', 'US-004'],
        takenOut: 'US-004.reviewCount',
      },
      {
        name: 'rejected',
        edit: `Object.assign(list.userStories[4], { passes: false, reviewStatus: 'changes_requested', reviewFeedback: 'No.' })`,
        caught: ['illegal-transition', 'US-005'],
        takenOut: 'US-005.reviewStatus',
      },
      {
        name: 'blocked',
        edit: `list.userStories[5].blocked = 'Ask somebody'`,
        caught: ['blocked', 'US-006'],
        takenOut: 'US-006.blocked',
      },
      {
        name: 'split',
        edit: `list.userStories[6].splitInto = ['US-001']`,
        caught: ['split', 'US-007'],
        takenOut: 'US-007.splitInto',
      },
    ],
  },
  {
    what: 'what no list may be',
    cells: [
      {
        name: 'a priority that is no number',
        edit: `list.userStories[1].priority = 'first'`,
        caught: ['schema', 'US-002: priority'],
        takenOut: 'US-002.priority',
      },
      {
        name: 'passes that is no truth',
        edit: `list.userStories[2].passes = 'yes'`,
        caught: ['schema', 'US-003: passes'],
        takenOut: 'US-003.passes',
      },
      {
        name: 'a story that waits for itself',
        edit: `one.dependsOn = ['US-001']`,
        caught: ['dependencies', 'US-001'],
        takenOut: 'US-001.dependsOn',
      },
      {
        name: 'a story that waits for nobody',
        edit: `list.userStories[3].dependsOn = ['US-777']`,
        caught: ['dependencies', 'US-777'],
        takenOut: 'US-004.dependsOn',
      },
      {
        name: 'a story twice',
        edit: `list.userStories.push({ ...list.userStories[4] })`,
        caught: ['duplicate-story', 'US-005'],
      },
      {
        name: 'a story twice but for its case',
        edit: `list.userStories.push({ ...one, id: 'us-001', passes: true })`,
        caught: ['duplicate-story', 'us-001'],
      },
      {
        name: '51: a story with the id of a prototype',
        edit: `list.userStories.push({ ...one, id: '__proto__', passes: true })`,
        caught: ['schema', '__proto__'],
      },
      {
        name: 'a story whose id is a path',
        edit: `list.userStories.push({ ...one, id: '../../outside' })`,
        caught: ['schema', '../../outside'],
      },
      { name: 'a story that is none', edit: `list.userStories.push(7)`, caught: ['schema', 'is not a story'] },
      { name: 'a list without its head', edit: `delete list.description`, caught: ['schema', 'description'] },
    ],
  },
]

describe.each(tables)('$what, changed in every mode', ({ cells, setup = {} }) => {
  describe.concurrent.each([
    ['always: never complete', 'always', [1, 2, 3, 4, 5]],
    ['once: the run recovers, completes, and its journal shows it', 'once', [1, 2, 3]],
  ] as const)('%s', (_, how, cheated) => {
    let played: Played
    beforeAll(async () => {
      played = await play(together(cells, setup), how)
    }, 120_000)

    it.each(cells)('$name', ({ caught: [rule, words], takenOut }) => {
      const isIt = (violation: Violation) => violation.rule === rule && violation.message.includes(words)
      const caught = played.events.filter((event) => event.kind === 'verdict.given' && event.violations.some(isIt))
      expect(caught.map((event) => event.kind === 'verdict.given' && event.iteration)).toEqual(cheated)
      const told = [...played.prompts].filter(([, prompt]) =>
        prompt.split('\n').some((line) => line.startsWith(`put back [${rule}]`) && line.includes(words)),
      )
      expect(told.map(([iteration]) => iteration - 1)).toEqual(cheated.filter((one) => played.prompts.has(one + 1)))
      if (takenOut !== undefined) for (const one of cheated) expect(played.takenOut.get(one)).toContain(takenOut)
    })
  })
})

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
