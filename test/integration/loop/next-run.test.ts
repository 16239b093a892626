import { afterEach, expect, it } from 'vitest'
import { StagedLoop, type Stage } from '../../support/staged-loop.ts'

let loop: StagedLoop
afterEach(() => loop.remove())

/** An agent that commits what it has done, and nothing else. */
function commitOnly(stage: Stage, path: string): void {
  const { lab, mode } = stage
  stage.edit((_, one) => {
    if (mode === 'implement') Object.assign(one, { reviewStatus: 'needs_review', notes: 'done' })
    else Object.assign(one, { reviewStatus: 'approved', passes: true, reviewCount: 1 })
  })
  lab.git('add', path)
  lab.git('commit', '-q', '-m', mode)
}

it('begins beside what checks of the run before have made, which stays nobody’s work', async () => {
  loop = new StagedLoop({
    act: (stage) => commitOnly(stage, 'ralph'),
    check({ lab }) {
      lab.write('coverage/report.txt', `${Date.now()}\n`)
      return 0
    },
  })
  const { lab } = loop
  expect(await loop.run({ maxIterations: '1' })).toBe(1)
  expect(lab.git('status', '--porcelain')).toBe('?? coverage/\n')
  expect(await loop.run()).toBe(0)
  expect(lab.runs()).toHaveLength(2)
})

it('begins beside what the last checks have made, under whatever name', async () => {
  let runs = 0
  loop = new StagedLoop({
    act: (stage) => stage.honest(),
    check({ lab }) {
      lab.write(`report-${++runs}.txt`, '')
      return 0
    },
  })
  expect(await loop.run()).toBe(0)
  expect(await loop.run()).toBe(0)
  expect(await loop.run()).toBe(0)
  expect(loop.lab.runs()).toHaveLength(3)
})

it('does not take for that what people have changed since', async () => {
  loop = new StagedLoop({
    act: (stage) => stage.honest(),
    check({ lab }) {
      if (!lab.has('made.txt')) lab.write('made.txt', 'made\n')
      return 0
    },
  })
  const { lab } = loop
  expect(await loop.run({ maxIterations: '1' })).toBe(1)
  lab.commit('made.txt')
  lab.write('made.txt', 'by people\n')
  await expect(loop.run()).rejects.toThrow('uncommitted changes: made.txt')
})
