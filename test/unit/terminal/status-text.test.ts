import { beforeAll, expect, it, vi } from 'vitest'
import { fineSymbols } from '../../../src/terminal/symbols.ts'
import { statusText, type StatusInput } from '../../../src/terminal/status-text.ts'
import { iterationEvents, runStopped } from '../../support/events.ts'
import { stateAfter, story, viewOf } from '../../support/shown-run.ts'

beforeAll(() => {
  vi.stubEnv('TZ', 'UTC')
})

const view = viewOf(story('US-1', { state: 'done' }), story('US-2'))
const nowMs = Date.UTC(2026, 10, 1, 2, 15)
const iteration = iterationEvents(3, 'US-2')

const text = (more: Partial<StatusInput>) =>
  statusText({ state: stateAfter(), view, nowMs, iterationMs: 123_999, tool: null, symbols: fineSymbols, ...more })

it('says where the run is, what matters most first', () => {
  expect(text({ state: stateAfter(...iteration.slice(0, 1)) })).toBe('3/15 · implement · US-2 · 2 min 3 s · 1/2 done')
})

it('names the tool that runs', () => {
  expect(text({ state: stateAfter(...iteration.slice(0, 1)), tool: { verb: 'Bash', target: 'npm test' } })).toBe(
    '3/15 · implement · US-2 · 2 min 3 s · 1/2 done · Bash npm test',
  )
})

it('says what it cost as far as that is known, and that the agent has ended', () => {
  expect(text({ state: stateAfter(...iteration.slice(0, 2)), iterationMs: 0 })).toBe(
    '3/15 · implement · US-2 · 0 s · 1/2 done · $0.25 · judging',
  )
})

it('is short between iterations and without stories', () => {
  expect(text({ state: stateAfter(...iteration) })).toBe('3/15 · 1/2 done · $0.25')
  expect(text({ view: viewOf() })).toBe('0/15')
})

it.each([
  [
    'usage-limit',
    '2026-11-01T02:27:03.000Z',
    'waiting for the usage limit to reset, until 02:27 (12 min 3 s) · 0/15 · 1/2 done',
  ],
  ['overloaded', '2026-11-01T02:14:00.000Z', 'waiting for the overloaded service, until 02:14 (0 s) · 0/15 · 1/2 done'],
  ['rain', null, 'waiting for rain · 0/15 · 1/2 done'],
  ['rain', 'tomorrow', 'waiting for rain · 0/15 · 1/2 done'],
])('counts down while it waits for %s until %s', (reason, until, expected) => {
  expect(text({ state: stateAfter({ kind: 'wait.started', reason, until }) })).toBe(expected)
})

it('is gone when the run has stopped', () => {
  expect(text({ state: stateAfter(runStopped) })).toBe(null)
})
