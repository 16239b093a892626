import { describe, expect, it } from 'vitest'
import { decide, type Circumstances } from '../../../src/loop/decide.ts'
import type { Plan } from '../../../src/loop/workflow.ts'
import type { Event } from '../../../src/model/event.ts'
import { reduce, type RunState } from '../../../src/model/run-state.ts'
import { iterationEvents, recorded, runStarted } from '../../support/events.ts'

const fold = (...events: Event[]): RunState =>
  recorded([runStarted, ...events]).reduce<RunState | null>(reduce, null) as RunState

const [started, finished, , , verdict, repaired, moved, closed] = iterationEvents(1) as [
  Event,
  Extract<Event, { kind: 'agent.finished' }>,
  Event,
  Event,
  Extract<Event, { kind: 'verdict.given' }>,
  Event,
  Extract<Event, { kind: 'stories.moved' }>,
  Event,
]
const clean = { ...verdict, ok: true, violations: [] }
const iterate: Plan = { kind: 'iterate', mode: 'review', story: 'US-1' }

const now = (over: Partial<Circumstances> = {}): Circumstances => ({
  nowMs: 60_000,
  limits: {
    maxIterations: 15,
    maxCostUsd: null,
    maxTokens: null,
    maxTimeMs: null,
    idleThreshold: 2,
    maxConsecutiveErrors: 3,
  },
  maxWaitMs: 3_600_000,
  stopRequested: false,
  plan: () => iterate,
  ...over,
})

describe('decide, in an iteration', () => {
  it.each([
    ['recovers one whose agent nobody saw end', [started], 'recover'],
    ['judges when the agent has ended', [started, finished], 'judge'],
    ['repairs what is illegal', [started, finished, verdict], 'repair'],
    ['has nothing to repair after a clean verdict', [started, finished, clean], 'settle'],
    ['settles what was repaired', [started, finished, verdict, repaired], 'settle'],
    ['closes when the stories have moved', [started, finished, verdict, repaired, moved], 'close'],
  ] as const)('%s', (_, events, kind) => {
    expect(decide(fold(...events), now()).kind).toBe(kind)
  })

  it('repairs what is only unfinished: it may have to be committed', () => {
    const unfinished = { ...clean, unfinished: [{ what: 'not-committed', story: null, message: '' }] } as const
    expect(decide(fold(started, finished, unfinished), now()).kind).toBe('repair')
  })

  it('writes the moves of the runner before it closes', () => {
    const own = { ...moved, moves: [{ story: 'US-1', to: 'changes_requested', by: 'runner' }] } as const
    expect(decide(fold(started, finished, clean, own), now())).toEqual({ kind: 'apply', moves: own.moves })
    expect(decide(fold(started, finished, clean, own, repaired), now()).kind).toBe('close')
  })

  it('brings it to its end first, whoever wants to stop and whatever limit is reached', () => {
    const state = { ...fold(started, finished), iteration: 99, consecutiveErrors: 99 }
    const plan = () => {
      throw new Error('nobody plans in the middle of an iteration')
    }
    expect(decide(state, now({ stopRequested: true, plan })).kind).toBe('judge')
  })
})

describe('decide, between iterations', () => {
  const between = fold(started, finished, clean, moved, closed)

  it('does what the workflow plans', () => {
    expect(decide(between, now())).toEqual({ kind: 'iterate', plan: iterate })
  })

  it('stops when somebody asks for it, before anything is planned', () => {
    expect(decide(between, now({ stopRequested: true }))).toMatchObject({ kind: 'stop', reason: 'interrupted' })
  })

  it('writes moves that a crash left unwritten, before it stops', () => {
    const own = { ...moved, moves: [{ story: 'US-1', to: 'changes_requested', by: 'runner' }] } as const
    const state = fold(started, finished, clean, moved, closed, own)
    expect(decide(state, now({ stopRequested: true })).kind).toBe('apply')
  })

  it('verifies a completion also when a limit is reached', () => {
    const plan = (): Plan => ({ kind: 'finish' })
    expect(decide({ ...between, iteration: 15, costUsd: 9 }, now({ plan })).kind).toBe('finish')
  })

  it('says that it waits for a person rather than that a limit is reached', () => {
    const plan = (): Plan => ({ kind: 'stop', reason: 'waiting', details: ['US-1 is blocked'] })
    expect(decide({ ...between, iteration: 15 }, now({ plan }))).toMatchObject({ reason: 'waiting' })
  })

  it('stops at a limit', () => {
    expect(decide({ ...between, iteration: 15 }, now())).toMatchObject({ kind: 'stop', reason: 'max_iterations' })
  })

  it('says how often the agent was started where that is the limit', () => {
    const state = { ...between, agentStarts: 45, lastError: 'an old one' }
    expect(decide(state, now())).toMatchObject({
      reason: 'too_many_errors',
      details: [expect.stringContaining('started 45 times')],
    })
  })

  it.each([
    ['not-logged-in', 'not_logged_in'],
    ['unavailable', 'agent_unavailable'],
  ] as const)('stops after an agent that was %s', (outcome, reason) => {
    const state = fold(started, { ...finished, outcome }, clean, moved, closed)
    expect(decide(state, now())).toMatchObject({ kind: 'stop', reason })
    // The user may have seen to it.
    const resumed = fold(started, { ...finished, outcome }, clean, moved, closed, { kind: 'run.resumed', flags: {} })
    expect(decide(resumed, now()).kind).toBe('iterate')
  })

  const limited = (retryAt: string): RunState =>
    fold(started, { ...finished, outcome: 'usage-limit', retryAt }, clean, moved, closed)

  it('waits for a usage limit to reset, and no longer', () => {
    const until = new Date(120_000).toISOString()
    expect(decide(limited(until), now())).toEqual({ kind: 'wait', until, reason: 'usage-limit' })
    expect(decide(limited(until), now({ nowMs: 120_000 })).kind).toBe('iterate')
  })

  it('goes on waiting after a crash and a resume', () => {
    const until = new Date(120_000).toISOString()
    const events: Event[] = [
      { kind: 'wait.started', reason: 'usage-limit', until },
      { kind: 'run.resumed', flags: {} },
    ]
    const state = recorded([
      runStarted,
      started,
      { ...finished, outcome: 'usage-limit', retryAt: until },
      clean,
      moved,
      closed,
      ...events,
    ]).reduce<RunState | null>(reduce, null) as RunState
    expect(decide(state, now())).toEqual({ kind: 'wait', until, reason: 'usage-limit' })
  })

  it('does not wait longer than the user would', () => {
    const until = new Date(60_000 + 3_600_001).toISOString()
    expect(decide(limited(until), now())).toMatchObject({ kind: 'stop', reason: 'usage_limit' })
    expect(decide(limited(new Date(61_000).toISOString()), now({ maxWaitMs: 0 }))).toMatchObject({
      reason: 'usage_limit',
    })
  })
})
