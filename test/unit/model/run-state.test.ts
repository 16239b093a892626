import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Event, MovedStory, Recorded } from '../../../src/model/event.ts'
import { reduce, type RunState } from '../../../src/model/run-state.ts'
import { anyEvent } from '../../support/any-event.ts'
import { iterationEvents, recorded, runEvents, runStarted, runStopped } from '../../support/events.ts'

function fold(events: readonly Event[]): RunState {
  const state = recorded(events).reduce<RunState | null>((before, event) => reduce(before, event), null)
  if (state === null) throw new Error('no events')
  return state
}

const events = iterationEvents(1, 'US-1')
const started = events[0] as Event

describe('reduce', () => {
  it('starts with nothing used and nothing known', () => {
    expect(fold([runStarted])).toMatchObject({ iteration: 0, agentStarts: 0, open: null, costUsd: null, stopped: null })
  })

  it('refuses a journal that does not begin with run.started, since that is a bug', () => {
    expect(() => fold([runStopped])).toThrow('begins with run.stopped')
  })

  it('keeps an iteration open until it is finished', () => {
    expect(fold([runStarted, started]).open).toMatchObject({
      iteration: 1,
      story: 'US-1',
      outcome: null,
      verdict: null,
    })
    expect(fold([runStarted, ...events.slice(0, -1)]).open).toMatchObject({ outcome: 'succeeded', repaired: true })
    expect(fold([runStarted, ...events]).open).toBeNull()
  })

  it('takes up where the run before began with a story', () => {
    const base = 'c'.repeat(40)
    const state = fold([{ ...runStarted, bases: { 'US-1': base } } as Event, started])
    expect(state.stories.firstBase.get('US-1')).toBe(base)
  })

  it('counts a second start in the same iteration as a start, not as an iteration', () => {
    expect(fold([runStarted, started, started])).toMatchObject({ iteration: 1, agentStarts: 2 })
  })

  it('tells a cost that is not reported from no cost', () => {
    const finished = events[1] as Extract<Event, { kind: 'agent.finished' }>
    const silent = { ...finished, costUsd: null, tokens: null }
    expect(fold([runStarted, started, silent]).costUsd).toBeNull()
    expect(fold([runStarted, started, silent, { ...finished, costUsd: 0 }]).costUsd).toBe(0)
    expect(fold([runStarted, started, finished, silent, finished])).toMatchObject({
      costUsd: 0.5,
      tokens: { input: 20, output: 4000, cacheRead: 60_000, cacheWrite: 800 },
    })
  })

  const check = (exitCode: number | null, command = 'npm test', decides = true): Event => ({
    kind: 'check.finished',
    iteration: 1,
    command,
    exitCode,
    durationMs: 1,
    log: '',
    decides,
    cannotStart: false,
  })
  const moved = (...moves: MovedStory[]): Event => ({
    kind: 'stories.moved',
    iteration: 1,
    moves,
    artefacts: [],
    violations: [],
  })

  it('counts failures of each check in a row, once for each time that something hung on it', () => {
    const failing = [check(1), check(null), check(1, 'lint'), check(1, 'slow', false), moved()]
    expect(fold([runStarted, ...failing]).stories.failedChecks).toEqual({ 'npm test': 1, lint: 1 })
    const again = [started, check(1), check(0, 'lint'), moved()]
    expect(fold([runStarted, ...failing, ...again]).stories).toMatchObject({
      failedChecks: { 'npm test': 2 },
      passedChecks: { lint: true },
    })
    expect(fold([runStarted, ...failing, ...again, started, check(1, 'lint', false), moved()]).stories).toMatchObject({
      passedChecks: {},
    })
  })

  it('does not let a check that passes for the reviewer and fails when it counts begin anew', () => {
    const flaky = [started, check(0, 'npm test', false), moved(), started, check(1), moved()]
    expect(fold([runStarted, ...flaky, ...flaky]).stories.failedChecks).toEqual({ 'npm test': 2 })
    expect(fold([runStarted, ...flaky, started, check(0), moved()]).stories.failedChecks).toEqual({})
  })

  it('remembers the moves of the runner until they are written', () => {
    const move = { story: 'US-1', to: 'changes_requested', by: 'runner' } as const
    const state = fold([runStarted, started, moved(move)])
    expect(state.stories.pending).toEqual([move])
    expect(fold([runStarted, started, moved(move), events[5] as Event]).stories.pending).toEqual([])
  })

  it('remembers where the work on each story began, and not where a review did', () => {
    const later = { ...(started as Extract<Event, { kind: 'iteration.started' }>), base: 'f'.repeat(40) }
    const state = fold([runStarted, { ...later, mode: 'review', story: 'US-2' }, started, later])
    expect(state.stories.firstBase.get('US-1')).toBe('a'.repeat(40))
    expect(state.stories.firstBase.get('US-2')).toBeUndefined()
  })

  it('gives the number of a start that does not count to the next one', () => {
    const uncounted = { ...(events.at(-1) as Extract<Event, { kind: 'iteration.finished' }>), counted: false }
    expect(fold([runStarted, started, uncounted])).toMatchObject({
      iteration: 0,
      agentStarts: 1,
      retries: 1,
      last: null,
    })
  })

  it('tells the next prompt what happened last, also when a completion did not hold', () => {
    const state = fold([runStarted, ...events])
    expect(state.last).toMatchObject({ iteration: 1, story: 'US-1', violations: [{ rule: 'frozen-field' }] })
    const violation = { rule: 'history', story: null, message: 'moved' } as const
    const finish = {
      ...(moved() as Extract<Event, { kind: 'stories.moved' }>),
      violations: [violation],
      moreViolations: 2,
    }
    const failed = fold([runStarted, ...events, check(1), finish])
    expect(failed.last?.violations).toContainEqual(violation)
    expect(failed.violations).toBe(state.violations + 3)
    expect(failed.last?.checks).toContainEqual({
      command: 'npm test',
      exitCode: 1,
      log: '',
      decides: true,
      cannotStart: false,
    })
  })

  it('counts the time in which the run was on, and not the time between a stop and the resume', () => {
    const at = (event: Event, seconds: number, seq: number): Recorded => ({
      ...event,
      seq,
      at: new Date(seconds * 1000).toISOString(),
    })
    const state = [
      at(runStarted, 0, 1),
      at(started, 10, 2),
      at({ kind: 'run.resumed', flags: {} }, 1000, 3),
      at(runStopped, 1005, 4),
    ].reduce<RunState | null>(reduce, null)
    expect(state?.activeMs).toBe(15_000)
  })

  it('counts errors and idle iterations in a row', () => {
    const finished = (changed: boolean, error: string | null): Event => ({
      kind: 'iteration.finished',
      iteration: 1,
      changed,
      commits: [],
      error,
      counted: true,
    })
    const broken = [runStarted, finished(false, 'a'), finished(false, 'b')]
    expect(fold([runStarted, finished(false, null), finished(false, null)]).idleIterations).toBe(2)
    expect(fold(broken)).toMatchObject({ idleIterations: 0, errorCount: 2, consecutiveErrors: 2, lastError: 'b' })
    expect(fold([...broken, finished(true, null)])).toMatchObject({
      idleIterations: 0,
      errorCount: 2,
      consecutiveErrors: 0,
      lastError: 'b',
    })
  })

  it('waits until the wait has ended or the run is stopped or resumed', () => {
    const wait: Event = { kind: 'wait.started', reason: 'usage-limit', until: null }
    expect(fold([runStarted, wait]).waiting).toEqual({ reason: 'usage-limit', until: null })
    for (const end of [
      { ...wait, kind: 'wait.ended' } as Event,
      runStopped,
      { kind: 'run.resumed', flags: {} } as Event,
    ]) {
      expect(fold([runStarted, wait, end]).waiting).toBeNull()
    }
  })

  it('goes on after an interruption with the flags given now', () => {
    const state = fold([runStarted, runStopped, { kind: 'run.resumed', flags: { maxIterations: 30 } }])
    expect(state).toMatchObject({ stopped: null, options: { maxIterations: 30 } })
  })

  it('keeps what was last found or made legal, to compare with what comes later', () => {
    const upTo = (kind: Event['kind']): Event[] => events.slice(0, events.findIndex((event) => event.kind === kind) + 1)
    expect(fold([runStarted, started]).open?.judged).toBeNull()
    expect(fold([runStarted, ...upTo('verdict.given')]).open?.judged).toEqual({
      commit: 'e'.repeat(40),
      tree: 'f'.repeat(40),
    })
    expect(fold([runStarted, ...upTo('state.repaired')]).open?.judged).toEqual({
      commit: 'c'.repeat(40),
      tree: 'b'.repeat(40),
    })
    const repaired = { ...(events[5] as Extract<Event, { kind: 'state.repaired' }>), commit: null }
    expect(fold([runStarted, ...upTo('verdict.given'), repaired]).open?.judged?.commit).toBe('e'.repeat(40))
  })

  it('is completing until it has stopped, somebody has to fix something, or another iteration begins', () => {
    const completion: Event = { kind: 'completion.started', iteration: 1, commit: 'c', tree: 't' }
    expect(fold([runStarted, completion, check(0)]).completing).toEqual({ commit: 'c', tree: 't' })
    for (const end of [runStopped, moved(), started]) expect(fold([runStarted, completion, end]).completing).toBeNull()
  })

  it('forgets the checks of a completion that was cut off, and of nothing else', () => {
    const completion: Event = { kind: 'completion.started', iteration: 1, commit: 'c', tree: 't' }
    const resumed: Event = { kind: 'run.resumed', flags: {} }
    expect(fold([runStarted, completion, check(1), resumed]).checks).toEqual([])
    expect(fold([runStarted, started, check(1), resumed]).checks).toHaveLength(1)
  })

  it('calls nobody idle who was interrupted', () => {
    const finished = events[1] as Extract<Event, { kind: 'agent.finished' }>
    const closed = { ...(events[7] as Extract<Event, { kind: 'iteration.finished' }>), changed: false }
    expect(fold([runStarted, started, finished, closed]).idleIterations).toBe(1)
    const interrupted: Event = { ...finished, outcome: 'interrupted' }
    expect(fold([runStarted, started, interrupted, closed]).idleIterations).toBe(0)
  })

  it.each(['__proto__', 'constructor', 'toString'])(
    '51 story-id-proto: a story named %s is a key like any other',
    (story) => {
      const again = [started, check(1, story), moved()]
      const state = fold([runStarted, ...iterationEvents(1, story), ...again, ...again])
      expect(state.stories.lastMove.entries()).toEqual([[story, 'needs_review']])
      expect(Object.entries(state.stories.failedChecks)).toContainEqual([story, 2])
      expect(Object.getPrototypeOf(state.stories.failedChecks)).toBe(Object.prototype)
      expect(Object.keys(Object.prototype)).toEqual([])
    },
  )

  it('gives the same state wherever a crash cut the journal and a resume took it up', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 30 }), fc.nat(30), (tail, cut) => {
        const all = recorded([runStarted, ...tail])
        // What a resume has went through the disk; what comes after is new.
        const fromDisk = JSON.parse(JSON.stringify(all.slice(0, cut + 1))) as typeof all
        const resumed = [...fromDisk, ...all.slice(cut + 1)].reduce<RunState | null>(
          (state, event) => reduce(state, event),
          null,
        )
        expect(resumed).toEqual(fold([runStarted, ...tail]))
      }),
    )
  })

  it('changes nothing that it was given', () => {
    const freeze = <T>(value: T): T => {
      if (typeof value === 'object' && value !== null)
        Object.values(Object.freeze(value)).forEach((inner) => freeze(inner))
      return value
    }
    let state: RunState | null = null
    for (const event of recorded(runEvents(3))) state = freeze(reduce(state, freeze(event)))
    expect(state?.iteration).toBe(3)
  })
})
