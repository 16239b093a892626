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
