import { afterEach, expect, it } from 'vitest'
import { summarize, viewOf } from '../../../src/cli/summarize.ts'
import { readJournal } from '../../../src/journal/read-journal.ts'
import { StagedLoop } from '../../support/staged-loop.ts'
import { join } from 'node:path'

let loop: StagedLoop
afterEach(() => loop.remove())

it('a branch that an agent deletes is named once in the journal, and in the summary', async () => {
  loop = new StagedLoop({
    act(stage) {
      if (stage.first('deleted')) stage.lab.git('branch', '-D', 'main')
      stage.honest()
    },
  })
  const { lab } = loop
  const was = `main was deleted; it was at ${lab.git('rev-parse', 'main').slice(0, 12)}`
  expect(await loop.run()).toBe(0)
  const told = lab.events().flatMap((event) => (event.kind === 'verdict.given' ? [event.branches] : []))
  expect(told).toEqual([[was], undefined])

  const journal = join(lab.runDirectory(), 'journal.ndjson')
  const state = readJournal(journal, () => undefined)
  if (!state.ok || state.value.state === null) throw new Error('no journal')
  const view = viewOf(lab.list(), { maxIterations: 15, skipReview: false })
  const end = { reason: 'complete', details: [], failure: null } as const
  expect(summarize(journal, { state: state.value.state, view, end, surface: [] }).branches).toEqual([was])
})
