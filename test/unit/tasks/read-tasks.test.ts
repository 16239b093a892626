import { describe, expect, it } from 'vitest'
import { readTasks, writeTasks } from '../../../src/tasks/read-tasks.ts'
import { list, stage, story } from '../../support/task-list.ts'

const problems = (value: unknown): string[] => {
  const read = readTasks(typeof value === 'string' ? value : JSON.stringify(value))
  return read.ok ? [] : read.error.map((problem) => problem.message)
}
const withStory = (fields: object) => problems({ ...list([]), userStories: [{ ...story('US-001'), ...fields }] })

describe('tasks.json', () => {
  it('keeps unknown fields, key order and the two-space format', () => {
    const text = `{\n  "zeta": 1,\n  "userStories": [\n    {\n      "later": [\n        1\n      ],\n      "id": "A",\n      "title": "T",\n      "acceptanceCriteria": [\n        "x"\n      ],\n      "priority": 1,\n      "passes": false,\n      "reviewStatus": null,\n      "reviewCount": 0,\n      "reviewFeedback": ""\n    }\n  ],\n  "description": "",\n  "branchName": "b",\n  "project": "p"\n}\n`
    const read = readTasks(text)
    expect(read.ok && writeTasks(read.value)).toBe(text)
  })

  it('names every problem at once, each with story and field', () => {
    const broken = {
      project: 7,
      branchName: '-x',
      userStories: [
        { ...story('US-001'), passes: 'yes', priority: null },
        { title: 'No id' },
        'text',
        { ...story('US-002'), reviewStatus: 'done', reviewCount: -1 },
        story('us-002'),
      ],
    }
    expect(problems(broken)).toEqual([
      'tasks.json: project must be text, not 7.',
      'tasks.json: branchName must be a branch name that git accepts, not "-x".',
      'tasks.json: description is missing (must be text).',
      'Story US-001: priority must be a number, not null.',
      'Story US-001: passes must be true or false, not "yes".',
      'userStories[1]: id is missing (must be 1 to 64 letters, digits, dots, hyphens or underscores, beginning with a letter or digit).',
      'userStories[1]: acceptanceCriteria is missing (must be a list of at least one criterion).',
      'userStories[1]: priority is missing (must be a number).',
      'userStories[1]: passes is missing (must be true or false).',
      'userStories[1]: reviewStatus is missing (must be null, "needs_review", "changes_requested" or "approved").',
      'userStories[1]: reviewCount is missing (must be a whole number from 0).',
      'userStories[1]: reviewFeedback is missing (must be text).',
      'userStories[2] must be an object.',
      'Story US-002: reviewStatus must be null, "needs_review", "changes_requested" or "approved", not "done".',
      'Story US-002: reviewCount must be a whole number from 0, not -1.',
      'Story us-002: id differs from US-002 only by case; ids must be unique.',
    ])
  })

  it.each([
    ['', 'tasks.json is not valid JSON (Unexpected end of JSON input).'],
    ['[]', 'tasks.json must be one JSON object.'],
    ['{}', 'tasks.json: userStories must be a list of stories.'],
  ])('%j is no list', (text, message) => expect(problems(text)).toEqual([message]))

  it.each([
    ['acceptanceCriteria', [], 'must be a list of at least one criterion'],
    ['acceptanceCriteria', ['  '], 'must be a list of at least one criterion'],
    ['title', 3, 'must be text'],
    ['priority', '1', 'must be a number'],
    ['reviewCount', 1.5, 'must be a whole number from 0'],
    ['reviewFeedback', null, 'must be text'],
    ['notes', 3, 'must be text'],
    ['dependsOn', 'US-002', 'must be a list of ids, each once'],
    ['dependsOn', ['US-002', 'US-002'], 'must be a list of ids, each once'],
    ['splitInto', [], 'must be a list of at least one id, each once'],
    ['blocked', true, 'must be text'],
    ['mayChange', '**', 'must be a list of globs'],
    ['verifyCommands', [''], 'must be a list of commands'],
  ])('%s = %j', (field, value, must) => {
    expect(withStory({ [field]: value })).toEqual([`Story US-001: ${field} ${must}, not ${JSON.stringify(value)}.`])
  })

  it('wants to know what was done to a story that passes', () => {
    expect(withStory({ ...stage.approved, notes: ' ' })).toEqual([
      'Story US-001: passes is true but notes is empty; write down in notes what was done.',
    ])
  })

  it.each(['__proto__', 'constructor', 'toString', '../x', '-n', 'a b', 'é', ''.padEnd(65, 'x'), ''])(
    'story-id-proto: %j is no id',
    (id) => expect(withStory({ id })).toHaveLength(1),
  )

  it('a key that stands twice is refused: readers of the text would see another list', () => {
    const text = writeTasks(list([story('US-001')])).replace(
      '"passes": false',
      '"passes": false,\n      "title": "Easier"',
    )
    expect(problems(text)).toEqual([
      'tasks.json: line 19: the key "title" stands twice in one object. Keep one of them.',
    ])
  })

  it('a protected path that would protect nothing is refused', () => {
    expect(problems(list([story('A')], { protectedPaths: ['test', ':(attr:x)y'] }))).toEqual([
      'tasks.json: protectedPaths must be a list of git pathspecs, relative and with no magic but top, exclude, literal, glob and icase, not ["test",":(attr:x)y"].',
    ])
  })

  it('writes control characters out when it quotes what is there', () => {
    expect(withStory({ passes: '\u001b[2J\u202e' })[0]).toContain('not "\\u001b[2J\\u{202e}"')
  })
})
