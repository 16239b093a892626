import { describe, expect, it } from 'vitest'
import { costLeftUsd, limitReached, timeLeftMs, type Limits } from '../../../src/limits/limit-reached.ts'
import type { RunState } from '../../../src/model/run-state.ts'
import { reduce } from '../../../src/model/run-state.ts'
import { recorded, runStarted } from '../../support/events.ts'

const none: Limits = {
  maxIterations: 15,
  maxCostUsd: null,
  maxTokens: null,
  maxTimeMs: null,
  idleThreshold: 2,
  maxConsecutiveErrors: 3,
}

const fresh = recorded([runStarted]).reduce<RunState | null>(reduce, null) as RunState
const startMs = Date.parse(fresh.lastEventAt)
const tokens = { input: 100, output: 20, cacheRead: 3, cacheWrite: 4 }

describe('limitReached', () => {
  it.each([
    ['nothing at the start', {}, {}, null],
    ['three errors in a row', { consecutiveErrors: 3 }, {}, 'too_many_errors'],
    ['not two', { consecutiveErrors: 2 }, {}, null],
    ['two idle iterations', { idleIterations: 2 }, {}, 'idle'],
    ['a budget that is used up', { costUsd: 5 }, { maxCostUsd: 5 }, 'budget_exhausted'],
    ['not one that nobody reported', { costUsd: null }, { maxCostUsd: 5 }, null],
    ['all kinds of tokens together', { tokens }, { maxTokens: 127 }, 'budget_exhausted'],
    ['not one token less', { tokens }, { maxTokens: 128 }, null],
    ['the time in which it was on', { activeMs: 60_000 }, { maxTimeMs: 60_000 }, 'timeout'],
    ['the last iteration', { iteration: 15 }, {}, 'max_iterations'],
    ['not the one before', { iteration: 14 }, {}, null],
    ['three starts for each iteration', { agentStarts: 45 }, {}, 'too_many_errors'],
    ['errors before idleness', { consecutiveErrors: 3, idleIterations: 2 }, {}, 'too_many_errors'],
    ['idleness before the iterations that it used', { idleIterations: 2, iteration: 15 }, {}, 'idle'],
    ['a budget before the iterations', { costUsd: 9, iteration: 15 }, { maxCostUsd: 5 }, 'budget_exhausted'],
    ['time before the iterations', { activeMs: 1, iteration: 15 }, { maxTimeMs: 1 }, 'timeout'],
  ] as const)('says %s', (_, state, limits, reason) => {
    expect(limitReached({ ...fresh, ...state }, { ...none, ...limits }, startMs)).toBe(reason)
  })
})

describe('timeLeftMs', () => {
  it('counts the time since the last event, too', () => {
    expect(timeLeftMs({ ...fresh, activeMs: 1000 }, { ...none, maxTimeMs: 10_000 }, startMs + 500)).toBe(8500)
  })

  it('is not made longer by a clock that was set back', () => {
    expect(timeLeftMs(fresh, { ...none, maxTimeMs: 10_000 }, startMs - 99_000)).toBe(10_000)
  })

  it('has no end without a limit', () => {
    expect(timeLeftMs(fresh, none, startMs)).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('costLeftUsd', () => {
  it('is what is left, and never less than nothing', () => {
    expect(costLeftUsd({ ...fresh, costUsd: 2 }, { ...none, maxCostUsd: 5 })).toBe(3)
    expect(costLeftUsd({ ...fresh, costUsd: 9 }, { ...none, maxCostUsd: 5 })).toBe(0)
    expect(costLeftUsd(fresh, none)).toBeNull()
  })
})
