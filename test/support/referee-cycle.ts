import { expect } from 'vitest'
import type { RepositoryView } from '../../src/git/observe.ts'
import { value, type Begun, type Lab } from './repositories.ts'

/** Everything that the runner does after an agent, once: the canary must be alive after each step. */
export async function refereeCycle(lab: Lab, { referee, base, look }: Begun): Promise<RepositoryView> {
  const untouched = (): void => expect(lab.sprang(), 'something planted has run').toBe(false)
  const view = await look()
  untouched()
  value(await referee.diff(base.tree, view.tree, { maxBytes: 10_000 }))
  value(await referee.listFiles(view.tree))
  value(await referee.read(view.tree, 'README.md'))
  untouched()
  value(await referee.restore(base.tree, ['README.md']))
  untouched()
  const again = await look({ thorough: true })
  const left = value(await referee.commitLeftOver({ view: again, iteration: 1 }))
  if (left.kind === 'committed') {
    value(await referee.deliver({ commit: left.commit, branch: 'main', expected: again.head ?? '' }))
  }
  untouched()
  const last = await look()
  untouched()
  expect(last.uncommitted).toEqual([])
  expect(last.gitDirectory).toEqual([])
  return view
}
