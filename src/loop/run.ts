import { ok, type Result } from '../base/result.ts'
import { describeFailure } from '../model/describe-failure.ts'
import type { Failure } from '../model/failure.ts'
import type { RunState } from '../model/run-state.ts'
import { exitCodeOf, type StopReason } from '../model/stop-reason.ts'
import type { Event } from '../model/event.ts'
import { decide } from './decide.ts'
import { perform, type Ending, type Engine } from './perform.ts'
import type { Steps } from './workflow.ts'

/** How a run ended. `failure` says what stood in its way where that was no decision of the loop's. */
export interface RunEnd {
  readonly reason: StopReason
  readonly details: readonly string[]
  readonly failure: Failure | null
}

/**
 * The loop: decide, perform, record, fold, show. The journal has been opened and holds `run.started`; whether this is its
 * first process or a resume makes no difference here.
 *
 * `until` ends it early: 'judged' brings an open iteration of another run to its end and starts nothing.
 */
export async function run(engine: Engine, until: 'stopped' | 'judged' = 'stopped'): Promise<Result<RunEnd, Failure>> {
  const ended = await untilTheEnd(engine, until)
  if (!ended.ok) return stopBecause(engine, ended.error)
  const { reason, details } = ended.value
  const recorded = record(engine, stopEvent(engine, reason, details))
  if (!recorded.ok) return recorded
  return ok({ reason, details, failure: null })
}

async function untilTheEnd(engine: Engine, until: 'stopped' | 'judged'): Promise<Result<NonNullable<Ending>, Failure>> {
  const { ports, workflow, options } = engine
  try {
    const opened = await drive(engine, workflow.open(stateOf(engine)))
    if (!opened.ok) return opened
    for (;;) {
      const state = stateOf(engine)
      const step = decide(state, {
        nowMs: ports.clock.now(),
        limits: options.limits,
        maxWaitMs: options.maxWaitMs,
        stopRequested: until === 'judged' || ports.stop.requested(),
        plan: () => workflow.plan(state),
      })
      const done = await drive(engine, perform(step, engine, state))
      if (!done.ok) return done
      if (done.value !== null) return ok(done.value)
    }
  } finally {
    workflow.end()
  }
}

/** Records each fact before its maker goes on. A fact that cannot be recorded ends the run: nothing happens unseen. */
async function drive<T>(engine: Engine, steps: Steps<T>): Promise<Result<T, Failure>> {
  for (;;) {
    const next = await steps.next()
    if (next.done === true) return next.value
    const recorded = record(engine, next.value)
    if (!recorded.ok) {
      await steps.return(recorded)
      return recorded
    }
  }
}

function record({ ports }: Engine, event: Event): Result<void, Failure> {
  const recorded = ports.journal.append(event)
  if (!recorded.ok) return recorded
  const { state } = ports.journal
  if (state !== null) ports.show.event(recorded.value, state)
  return ok(undefined)
}

/** The run ends and says why, if the journal still takes it; the failure itself is the caller's to show. */
function stopBecause(engine: Engine, failure: Failure): Result<RunEnd, Failure> {
  const reason = reasonOf(failure)
  record(engine, stopEvent(engine, reason, [describeFailure(failure).what]))
  return ok({ reason, details: [], failure })
}

function reasonOf({ reason }: Failure): StopReason {
  if (reason === 'not-a-repository') return 'not_a_repository'
  if (reason === 'isolation-unavailable') return 'isolation_unavailable'
  return reason === 'locked' ? 'locked' : 'storage'
}

function stopEvent(engine: Engine, reason: StopReason, details: readonly string[]): Event {
  const { iteration, costUsd, tokens, activeMs } = stateOf(engine)
  const totals = { iterations: iteration, costUsd, tokens, durationMs: activeMs }
  return { kind: 'run.stopped', reason, exitCode: exitCode(reason, engine.options.strict), totals, details }
}

export const exitCode = (reason: StopReason, strict: boolean): number =>
  strict && reason === 'complete_with_concerns' ? exitCodeOf.waiting : exitCodeOf[reason]

function stateOf({ ports }: Engine): RunState {
  const { state } = ports.journal
  if (state === null) throw new Error('a loop without run.started')
  return state
}
