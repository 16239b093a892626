import { ok, type Result } from '../base/result.ts'
import { unreachable } from '../base/unreachable.ts'
import { costLeftUsd, timeLeftMs } from '../limits/limit-reached.ts'
import { retryAt } from '../limits/retry-at.ts'
import type { Failure } from '../model/failure.ts'
import type { OpenIteration, RunState } from '../model/run-state.ts'
import type { StopReason } from '../model/stop-reason.ts'
import type { Step } from './decide.ts'
import type { AgentEnd, LoopOptions, LoopPorts } from './ports.ts'
import type { Plan, Steps, Workflow } from './workflow.ts'

/** What a step says about the run as a whole; null: go on. */
export type Ending = { readonly reason: StopReason; readonly details: readonly string[] } | null

export interface Engine {
  readonly ports: LoopPorts
  readonly workflow: Workflow
  readonly options: LoopOptions
}

/** Does one step through the ports. Every fact is yielded before the next thing happens. */
export async function* perform(step: Step, engine: Engine, state: RunState): Steps<Ending> {
  const { workflow } = engine
  switch (step.kind) {
    case 'recover':
      yield* recover(step.open)
      return goOn
    case 'judge':
      return silently(yield* workflow.judge(step.open, state))
    case 'repair':
      return silently(yield* workflow.repair(step.open, state))
    case 'settle': {
      const settled = yield* workflow.settle(step.open, state)
      if (!settled.ok) return settled
      return settled.value ? goOn : ok({ reason: 'interrupted', details: [] })
    }
    case 'apply':
      return silently(yield* workflow.apply(step.moves, state))
    case 'close': {
      const closing = await workflow.close(step.open, state)
      if (!closing.ok) return closing
      yield { kind: 'iteration.finished', iteration: step.open.iteration, ...closing.value }
      return goOn
    }
    case 'wait':
      return yield* wait(step, engine, state)
    case 'iterate':
      return yield* iterate(step.plan, engine, state)
    case 'finish': {
      const finished = yield* workflow.finish(state)
      if (!finished.ok) return finished
      // Also when the run is to stop: what was decided is written first.
      if (finished.value.kind === 'go-on') return goOn
      return ok(finished.value)
    }
    case 'stop':
      return ok({ reason: step.reason, details: step.details })
    default:
      return unreachable(step)
  }
}

const goOn = ok(null)
const interrupted: Result<Ending, Failure> = ok({ reason: 'interrupted', details: [] })

const silently = (done: Result<void, Failure>): Result<Ending, Failure> => (done.ok ? goOn : done)

/** The runner was killed while an agent worked: how that ended nobody knows, so nothing it approved counts. */
async function* recover(open: OpenIteration): Steps {
  yield {
    kind: 'agent.finished',
    iteration: open.iteration,
    outcome: 'interrupted',
    exitCode: null,
    signal: null,
    durationMs: 0,
    costUsd: null,
    tokens: null,
    message: 'the runner was killed while the agent worked',
    promised: false,
    retryAt: null,
  }
  return ok(undefined)
}

async function* iterate(plan: Extract<Plan, { kind: 'iterate' }>, engine: Engine, state: RunState): Steps<Ending> {
  const { ports, workflow, options } = engine
  const { mode, story } = plan
  const held = ports.ensureHeld()
  if (!held.ok) return held
  const iteration = state.iteration + 1
  const sessionId = ports.newSessionId()
  const agent = ports.agentFor(mode)
  const started = await workflow.start({ iteration, mode, story, sessionId }, state)
  if (!started.ok) return started
  // Nobody wants it any more, and nothing has happened yet.
  if (ports.stop.requested()) return interrupted
  const { base, branch, tree, prompt } = started.value
  const { name, model } = agent
  yield { kind: 'iteration.started', iteration, mode, story, agent: name, model, sessionId, base, branch, tree }
  const timeoutMs = Math.min(options.iterationTimeoutMs, timeLeftMs(state, options.limits, ports.clock.now()))
  const ended = await agent.start({
    iteration,
    mode,
    story,
    sessionId,
    prompt,
    timeoutMs,
    maxCostUsd: costLeftUsd(state, options.limits),
    signal: ports.stop.signal,
    onNotice: (notice) => ports.show.notice(notice),
  })
  if (!ended.ok) return ended
  yield finishedEvent(iteration, ended.value, engine, state)
  return goOn
}

function finishedEvent(iteration: number, end: AgentEnd, { ports, options }: Engine, { retries }: RunState) {
  const nowMs = ports.clock.now()
  const again = retryAt(end.outcome, { resetsAt: end.resetsAt, retries, nowMs })
  return {
    kind: 'agent.finished' as const,
    iteration,
    outcome: end.outcome,
    exitCode: end.exitCode,
    signal: end.signal,
    durationMs: end.durationMs,
    costUsd: end.costUsd,
    tokens: end.tokens,
    message: messageOf(end),
    promised: end.promises.some((text) => text.trim() === options.completionTag),
    retryAt: again === null ? null : new Date(again).toISOString(),
  }
}

/** What helps belongs to it. Not where the next prompt tells an agent about it: options are for people. */
function messageOf({ message, fix, outcome }: AgentEnd): string | null {
  const isForPeople = outcome !== 'timeout' && outcome !== 'silent'
  return message !== null && fix !== null && isForPeople ? `${message}; ${fix}` : message
}

async function* wait(step: Extract<Step, { kind: 'wait' }>, engine: Engine, state: RunState): Steps<Ending> {
  const { ports, options } = engine
  const { reason, until } = step
  yield { kind: 'wait.started', reason, until }
  const now = ports.clock.now()
  const deadline = Math.min(Date.parse(until), now + timeLeftMs(state, options.limits, now))
  await ports.sleepUntil(deadline, ports.stop.signal)
  if (ports.stop.requested()) return interrupted
  yield { kind: 'wait.ended', reason, until }
  return goOn
}
