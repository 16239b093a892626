import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Story, TaskList } from '../../../src/model/story.ts'
import { advise, type AdviceContext } from '../../../src/tasks/advise.ts'
import { visibleLine } from '../../../src/base/visible.ts'
import { arbitraryList } from '../../support/arbitrary-list.ts'
import { list, stage, story } from '../../support/task-list.ts'

const usual: AdviceContext = { maxIterations: 15, skipReview: false, hasChecks: false, isFresh: false }
const on = (tasks: TaskList, context: Partial<AdviceContext> = {}) => advise(tasks, { ...usual, ...context })
const onStory = (fields: Partial<Story>) => on(list([story('A', fields)]))
const numbered = (count: number, fields: (index: number) => Partial<Story> = () => ({})) =>
  Array.from({ length: count }, (_, index) => story(`US-${index + 1}`, { priority: index + 1, ...fields(index) }))

describe('a good list', () => {
  it('gets no advice', () => {
    expect(on(list([story('A'), story('B', { priority: 2, dependsOn: ['A'] })]))).toEqual([])
  })
})

describe('a story that is too big', () => {
  it.each<[string, Partial<Story>, string]>([
    [
      'many criteria',
      { acceptanceCriteria: Array.from({ length: 8 }, (_, n) => `Column ${n} is there`) },
      '8 criteria',
    ],
    ['a long description', { description: 'This is one. This is two! Is this three? This is four.' }, '4 sentences'],
    ['a description without end', { description: 'word '.repeat(150) }, '750 characters'],
    ['a title of several things', { title: 'Add search, sorting and export' }, 'several things in its title'],
    [
      'a description of many things',
      { description: 'Add a and b and c and d and e and f and g.' },
      'many things in its description',
    ],
    [
      'a criterion of several things',
      { acceptanceCriteria: ['The page shows a title and a list and a footer and a link'] },
      'asks for several things',
    ],
  ])('by %s is named', (_, fields, what) => {
    expect(onStory(fields)).toMatchObject([
      { rule: 'too-big', story: 'A', what: expect.stringContaining(what) as string },
    ])
  })

  it.each<[string, Partial<Story>]>([
    ['7 criteria', { acceptanceCriteria: Array.from({ length: 7 }, (_, n) => `Column ${n} is there`) }],
    ['3 sentences', { description: 'This is one, e.g. short. This is two. This is three.' }],
    ['one "and" in the title', { title: 'Search and replace' }],
  ])('is not one with %s', (_, fields) => {
    expect(onStory(fields)).toEqual([])
  })
})

describe('a criterion', () => {
  it.each([
    'Login works correctly',
    'Handles input properly',
    'The list behaves as expected',
    'Exports name, total, etc.',
    'Shows name, total, …',
    'Shows an appropriate message',
    'Retries if needed',
    'Handles errors gracefully',
    'Handles edge cases of the parser',
    'The page should be good',
    'The form is user-friendly',
    'The code is clean and follows best practices',
    'The list loads fast',
    'Search is improved for users',
    'Ideally the list is sorted',
    'The feature is fully implemented.',
  ])('that says "%s" is vague', (criterion) => {
    const [advice, ...others] = onStory({ acceptanceCriteria: [criterion, 'The list has two columns'] })
    expect(others).toEqual([])
    expect(advice).toMatchObject({ rule: 'vague', story: 'A', fix: expect.stringContaining('like: ') as string })
    expect(advice?.what).toContain(visibleLine(criterion, 80))
  })

  it.each([
    'Filter dropdown has options: All, Active, Done',
    'The list of 10,000 items loads faster than in 200 ms, so it is fast',
    'The button says "Works correctly"',
    'Prints `etc` for the rest',
    'npm test passes',
    'Typecheck passes',
    'The column "clean" is dropped',
    'Status is "properly set…"',
    'TODO items are listed newest first',
    'Add priority column to tasks table: high, medium or low (default medium)',
    'Clean up temporary files after the import',
    'The cookie has Secure and HttpOnly',
    'The sort is stable',
    'Hosts are read from /etc/hosts',
    'Takes ...rest as its last parameter',
    'The button says Saving... while it waits',
    'An error is shown when required fields are missing',
    'A user who tries to delete a stranger gets 403',
    'Merges fast-forward only',
    'Verify in browser: the badge is red',
  ])('that says "%s" is not', (criterion) => {
    expect(onStory({ acceptanceCriteria: [criterion] })).toEqual([])
  })

  it('of one or two words says too little', () => {
    expect(onStory({ acceptanceCriteria: ['Login page'] })).toMatchObject([{ rule: 'vague' }])
  })
})

describe('what nobody has written', () => {
  it.each<[string, TaskList, string]>([
    ['a title', list([story('A', { title: ' ' }), story('B')]), 'has no title'],
    ['a description', list([story('A', { description: '' })]), 'has no description'],
    ['a mark in a title', list([story('A', { title: 'Show {{NAME}}' })]), '"{{NAME}}" in its title'],
    [
      'a mark in a criterion',
      list([story('A', { acceptanceCriteria: ['The limit is TBD'] })]),
      '"TBD" in the criterion',
    ],
    ['the name of the project', list([story('A')], { project: '' }), 'project is empty'],
    ['its description', list([story('A')], { description: '' }), 'description is empty'],
    [
      'its branch',
      list([story('A')], { branchName: 'ralph/feature-name' }),
      'branchName is still that of the template',
    ],
  ])('is named: %s', (_, tasks, what) => {
    expect(on(tasks)).toMatchObject([{ rule: 'unwritten', what: expect.stringContaining(what) as string }])
  })
})

describe('checks', () => {
  const checked = story('A', { verifyCommands: ['npm test'] })

  it('are missing at all, or for the whole list', () => {
    expect(on(list([story('A')], { verifyCommands: [] }))[0]?.what).toContain('no check at all')
    expect(on(list([checked], { verifyCommands: [] }))[0]?.what).toContain('Nothing is checked at the end')
  })

  it('may come from the settings', () => {
    expect(on(list([story('A')], { verifyCommands: [] }), { hasChecks: true })).toEqual([])
  })

  it.each(['true', ':', 'exit 0', 'echo ok', 'npm test || true', 'npm test ||:', 'npm test; true'])(
    'that always pass are none: %s',
    (command) => {
      expect(on(list([story('A')], { verifyCommands: [command] }))).toMatchObject([
        { rule: 'check', story: null, what: expect.stringContaining('passes whatever') as string },
      ])
      expect(onStory({ verifyCommands: [command] })).toMatchObject([{ rule: 'check', story: 'A' }])
    },
  )

  it.each(['vitest --watch', 'npm run dev', 'npm start', 'jest --watchAll'])(
    'that never end are none: %s',
    (command) => {
      expect(onStory({ verifyCommands: [command] })).toMatchObject([
        { rule: 'check', what: expect.stringContaining('does not end') as string },
      ])
    },
  )

  it.each([
    'npm test',
    'ng test --watch=false',
    'npm run start:check',
    'test -f dist/x && echo ok',
    'timeout 5 npm start',
  ])('of other kinds are fine: %s', (command) => {
    expect(onStory({ verifyCommands: [command] })).toEqual([])
  })
})

describe('the order', () => {
  it('is wrong where a story waits for one with a higher number', () => {
    const stories = [story('A', { priority: 1, dependsOn: ['B', 'C'] }), story('B', { priority: 5 }), story('C')]
    expect(on(list(stories))).toMatchObject([
      { rule: 'order', story: 'A', what: expect.stringContaining('waits for B with') as string },
    ])
  })

  it('is no matter once the other is done', () => {
    const stories = [story('A', { dependsOn: ['B'] }), story('B', { priority: 5, ...stage.approved })]
    expect(on(list(stories))).toEqual([])
  })

  it('is doubted where the frontend comes before the database', () => {
    const page = story('A', { title: 'Show the orders page', priority: 1 })
    const schema = story('B', { title: 'Add a migration for orders', priority: 2 })
    expect(on(list([page, schema]))).toMatchObject([
      { rule: 'order', story: 'B', what: '(database) comes after A (frontend).' },
    ])
    expect(on(list([{ ...page, priority: 3 }, schema]))).toEqual([])
    expect(on(list([page, { ...schema, dependsOn: ['A'] }]))).toEqual([])
  })
})

describe('what stands twice', () => {
  it('is a title', () => {
    const stories = [story('A', { title: 'Add Search' }), story('B', { title: 'add  search.' })]
    expect(on(list(stories))).toMatchObject([{ rule: 'repeated', story: 'B', what: 'has the title of A.' }])
  })

  it('is a criterion, in one story or in two', () => {
    const twice = ['The list has two columns', 'The list has two columns.']
    expect(onStory({ acceptanceCriteria: twice })).toMatchObject([{ rule: 'repeated', fix: 'Remove one.' }])
    const stories = ['A', 'B'].map((id) => story(id, { acceptanceCriteria: ['The list has two columns'] }))
    expect(on(list(stories))).toMatchObject([{ rule: 'repeated', story: 'B' }])
  })

  it('is no check that every story has, and nothing that a part has from its parent', () => {
    const common = ['A', 'B'].map((id) =>
      story(id, { acceptanceCriteria: [`${id} is listed first`, 'npm test passes'] }),
    )
    expect(on(list(common))).toEqual([])
    const parts = [
      story('A', { splitInto: ['B'] }),
      story('B', { acceptanceCriteria: ['A does one thing', 'A does another'] }),
    ]
    expect(on(list(parts))).toEqual([])
  })
})

describe('a fresh list', () => {
  it.each<[string, Partial<Story>]>([
    ['approved', stage.approved],
    ['rejected', stage.rejected],
    ['waiting for a review', stage.submitted],
    ['with reviews', { reviewCount: 2 }],
  ])('has no story %s', (_, fields) => {
    expect(on(list([story('A', fields), story('B')]), { isFresh: true })).toMatchObject([
      { rule: 'not-fresh', story: 'A' },
    ])
    expect(on(list([story('A', fields), story('B')]))).toEqual([])
  })
})

describe('the branch', () => {
  it.each(['main', 'master', 'develop'])('is not one that people share: %s', (branchName) => {
    expect(on(list([story('A')], { branchName }))).toMatchObject([{ rule: 'branch' }])
  })
})

describe('the iterations', () => {
  it('do for as many stories as can be built and reviewed in them', () => {
    expect(on(list(numbered(7)))).toEqual([])
    expect(on(list(numbered(8)))).toEqual([
      {
        rule: 'iterations',
        story: null,
        what: '8 open stories take at least 16 iterations, and a run stops after 15.',
        fix: 'Start it with -n 24.',
      },
    ])
    expect(on(list(numbered(8)), { skipReview: true })).toEqual([])
    expect(on(list(numbered(8)), { maxIterations: 16 })).toEqual([])
  })
})

describe('any list', () => {
  it('is advised without a control character, in sentences', () => {
    fc.assert(
      fc.property(arbitraryList, fc.boolean(), (tasks, isFresh) => {
        for (const { what, fix } of on(tasks, { isFresh })) {
          for (const text of [what, fix]) {
            expect(visibleLine(text, 2000)).toBe(text)
            expect(text.endsWith('.')).toBe(true)
          }
        }
      }),
    )
  })

  it('is advised in time, however long its texts are', () => {
    const long = 'and , & ; {{ TODO ??? '.repeat(40_000)
    const huge = story('A', { title: long, description: long, acceptanceCriteria: [long], verifyCommands: [long] })
    const many = numbered(5000, (n) => ({ dependsOn: n === 0 ? [] : [`US-${n}`] }))
    expect(on(list([huge, ...many]), { isFresh: true })).not.toEqual([])
  })
})
