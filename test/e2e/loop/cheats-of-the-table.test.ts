import { beforeAll, describe, expect, it } from 'vitest'
import type { Story } from '../../../src/model/story.ts'
import type { RuleName, Violation } from '../../../src/model/violation.ts'
import { play, type Cheat, type Played } from '../../support/cheats.ts'
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
