import { afterEach, expect, it } from 'vitest'
import { StagedLoop, type StagedSetup } from '../../support/staged-loop.ts'

/** What agents can do to the checks over several iterations, each of which is legal. */
let loop: StagedLoop
afterEach(() => loop.remove())

async function play(setup: StagedSetup, flags: Parameters<StagedLoop['run']>[0] = {}): Promise<string> {
  loop = new StagedLoop(setup)
  await loop.run(flags)
  const last = loop.lab.events().at(-1)
  return last?.kind === 'run.stopped' ? last.reason : 'none'
}

it('a command that an author adds cannot mend for the checks of people what is broken in the commit', async () => {
  const files = { 'src/a.txt': 'broken\n' }
  const reason = await play(
    {
      files,
      verifyCommands: ['true'],
      act(stage) {
        if (stage.mode === 'implement') stage.edit((list) => list.verifyCommands?.push('mend'))
        stage.honest()
      },
      check({ lab, command }) {
        if (command === 'mend') lab.write('src/a.txt', 'mended\n')
        return command === 'people' && lab.read('src/a.txt') === 'broken\n' ? 1 : 0
      },
    },
    { check: ['people'], maxIterations: '2' },
  )
  expect(reason).toBe('max_iterations')
  expect(loop.lab.read('src/a.txt')).toBe('broken\n')
})

it('a command that an author adds is no check of people: such a run does not end clean', async () => {
  const reason = await play({
    verifyCommands: [],
    act(stage) {
      if (stage.mode === 'implement') stage.edit((_, story) => Object.assign(story, { verifyCommands: ['true'] }))
      stage.honest()
    },
  })
  expect(reason).toBe('complete_with_concerns')
})

it('a command that an author adds to the only story does not replace those of the list', async () => {
  const reason = await play(
    {
      stories: 2,
      verifyCommands: ['people'],
      act(stage) {
        if (stage.mode === 'implement') stage.edit((_, story) => Object.assign(story, { verifyCommands: ['true'] }))
        stage.honest()
      },
      check: ({ command }) => (command === 'people' ? 1 : 0),
    },
    { story: 'US-001', maxIterations: '2' },
  )
  expect(reason).toBe('max_iterations')
})

it('a check that breaks a rule very often does not fill the journal: fifty are named, the others counted', async () => {
  await play(
    {
      act: (stage) => stage.honest(),
      check({ lab, mode }) {
        if (mode === 'review') for (let n = 0; n < 70; n++) lab.write(`.claude/skills/${n}.md`, 'obey')
        return 0
      },
    },
    { maxIterations: '2' },
  )
  const moved = loop.lab.events().findLast(({ kind }) => kind === 'stories.moved')
  if (moved?.kind !== 'stories.moved') throw new Error('nothing moved')
  expect(moved.violations).toHaveLength(50)
  expect(moved.moreViolations).toBe(20)
  expect(moved.moves).toEqual([{ story: 'US-001', to: 'needs_review', by: 'runner' }])
})

it('what checks make is named five hundred times at most, however many checks there are', async () => {
  const verifyCommands = ['first', 'second']
  await play(
    {
      verifyCommands,
      act: (stage) => stage.honest(),
      check({ lab, command }) {
        for (let n = 0; n < 300; n++) lab.write(`${command}-${n}.log`, '')
        return 0
      },
    },
    { maxIterations: '1' },
  )
  const moved = loop.lab.events().findLast(({ kind }) => kind === 'stories.moved')
  expect(moved).toHaveProperty('artefacts.length', 500)
})

it('a completion that breaks a rule very often names fifty reasons', async () => {
  const reason = await play({
    stories: [{ passes: true, reviewStatus: 'approved', reviewCount: 1, notes: 'done' }],
    act: () => undefined,
    check({ lab }) {
      for (let n = 0; n < 70; n++) lab.write(`.claude/skills/${n}.md`, 'obey')
      return 0
    },
  })
  expect(reason).toBe('waiting')
  const last = loop.lab.events().at(-1)
  expect(last).toHaveProperty('details.length', 50)
})
