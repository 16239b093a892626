import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/base/json.ts'
import { defaults } from '../../../src/settings/defaults.ts'
import { optionsFromJournal } from '../../../src/settings/options-from-journal.ts'
import type { RunOptions } from '../../../src/settings/run-options.ts'

const journalled = (options: RunOptions) => JSON.parse(JSON.stringify(options)) as JsonObject

it('gives back what a run was started with', () => {
  const custom = { name: 'custom', model: 'm', command: ['/a', 'b'], args: ['c'], format: 'claude' } as const
  const options: RunOptions = {
    ...defaults,
    maxIterations: 3,
    maxCostUsd: 2,
    checks: [{ command: 'a', failAction: 'append', hint: 'h', timeoutMs: 5 }],
    agents: { ...defaults.agents, review: custom },
    env: { pass: ['A'], drop: [] },
    story: 'US-1',
  }
  expect(optionsFromJournal(journalled(options))).toEqual(options)
})

it('takes the defaults for what an older version did not know', () => {
  expect(optionsFromJournal({})).toEqual(defaults)
  const older = {
    maxIterations: 4,
    agents: { review: { name: 'codex' } },
    checks: [{ command: 'a' }],
    env: { pass: [] },
  }
  expect(optionsFromJournal(older)).toEqual({
    ...defaults,
    maxIterations: 4,
    agents: { ...defaults.agents, review: { ...defaults.agents.review, name: 'codex' } },
    checks: [{ command: 'a', failAction: null, hint: null, timeoutMs: null }],
  })
})

it('drops what a newer version knew', () => {
  expect(optionsFromJournal({ ...journalled(defaults), later: 1 })).toEqual(defaults)
})
