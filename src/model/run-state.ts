import { PersistentMap } from '../base/persistent-map.ts'
import { unreachable } from '../base/unreachable.ts'
import type { JsonObject } from '../base/json.ts'
import type { AgentOutcome, Recorded, StoryMove, Tokens, Workflow } from './event.ts'
import type { IterationMode } from './story.ts'
import type { StopReason } from './stop-reason.ts'
import type { Unfinished, Violation } from './violation.ts'

/** The iteration that has started and not finished; what a resume must finish first. */
export interface OpenIteration {
  readonly iteration: number
  readonly mode: IterationMode | null
  readonly story: string | null
  readonly agent: string
  readonly sessionId: string
  readonly base: string
  readonly branch: string
  readonly tree: string
  /** null while the agent has not ended, or nobody saw it end. */
  readonly outcome: AgentOutcome | null
  /** null until the referee has judged; a verdict that was written is replayed, never given again. */
  readonly verdict: { readonly violations: readonly Violation[]; readonly unfinished: readonly Unfinished[] } | null
  readonly repaired: boolean
}

/** What only the stories workflow remembers. */
export interface StoriesState {
  /** By story id. */
  readonly lastMove: PersistentMap<StoryMove>
  /** How often in a row each check has failed; the third time a person is needed. */
  readonly failedChecks: Readonly<Record<string, number>>
}

/** The fold of a journal. Running and resuming know nothing else of the past. */
export interface RunState {
  readonly runId: string
  readonly workflow: Workflow
  readonly project: string
  readonly options: JsonObject
  readonly startedAt: string
  readonly lastEventAt: string
  readonly lastIterationAt: string | null
  /** Iterations used, finished or not. */
  readonly iteration: number
  /** Starts of an agent, retries included; capped at three times the iterations. */
  readonly agentStarts: number
  readonly open: OpenIteration | null
  readonly costUsd: number | null
  readonly tokens: Tokens
  readonly errorCount: number
  readonly consecutiveErrors: number
  readonly lastError: string | null
  readonly lastCommit: string | null
  readonly idleIterations: number
  readonly violations: number
  readonly waiting: { readonly reason: string; readonly until: string | null } | null
  readonly stopped: { readonly reason: StopReason; readonly exitCode: number } | null
  readonly stories: StoriesState
}

const noTokens: Tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

/** One more fact. A journal always begins with `run.started`, so the first call has no state and every later one has. */
export function reduce(state: RunState | null, event: Recorded): RunState {
  if (event.kind === 'run.started') {
    return {
      runId: event.runId,
      workflow: event.workflow,
      project: event.project,
      options: event.options,
      startedAt: event.at,
      lastEventAt: event.at,
      lastIterationAt: null,
      iteration: 0,
      agentStarts: 0,
      open: null,
      costUsd: null,
      tokens: noTokens,
      errorCount: 0,
      consecutiveErrors: 0,
      lastError: null,
      lastCommit: null,
      idleIterations: 0,
      violations: 0,
      waiting: null,
      stopped: null,
      stories: { lastMove: new PersistentMap(), failedChecks: {} },
    }
  }
  if (state === null) throw new Error(`a journal that begins with ${event.kind}`)
  return next({ ...state, lastEventAt: event.at }, event)
}

function next(state: RunState, event: Exclude<Recorded, { kind: 'run.started' }>): RunState {
  switch (event.kind) {
    case 'run.resumed':
      return { ...state, stopped: null, waiting: null, options: { ...state.options, ...event.flags } }
    case 'iteration.started':
      return {
        ...state,
        iteration: event.iteration,
        agentStarts: state.agentStarts + 1,
        lastIterationAt: event.at,
        open: {
          iteration: event.iteration,
          mode: event.mode,
          story: event.story,
          agent: event.agent,
          sessionId: event.sessionId,
          base: event.base,
          branch: event.branch,
          tree: event.tree,
          outcome: null,
          verdict: null,
          repaired: false,
        },
      }
    case 'agent.finished':
      return {
        ...state,
        open: state.open && { ...state.open, outcome: event.outcome },
        costUsd: event.costUsd === null ? state.costUsd : (state.costUsd ?? 0) + event.costUsd,
        tokens: event.tokens === null ? state.tokens : addTokens(state.tokens, event.tokens),
      }
    case 'check.finished': {
      const failures = new Map(Object.entries(state.stories.failedChecks))
      if (event.exitCode === 0) failures.delete(event.command)
      else failures.set(event.command, (failures.get(event.command) ?? 0) + 1)
      const failedChecks = Object.fromEntries(failures)
      return { ...state, stories: { ...state.stories, failedChecks } }
    }
    case 'verdict.given':
      return {
        ...state,
        violations: state.violations + event.violations.length,
        open: state.open && {
          ...state.open,
          verdict: { violations: event.violations, unfinished: event.unfinished },
        },
      }
    case 'state.repaired':
      return {
        ...state,
        open: state.open && { ...state.open, repaired: true },
        lastCommit: event.commit ?? state.lastCommit,
      }
    case 'story.moved':
      return { ...state, stories: { ...state.stories, lastMove: state.stories.lastMove.with(event.story, event.to) } }
    case 'wait.started':
      return { ...state, waiting: { reason: event.reason, until: event.until } }
    case 'wait.ended':
      return { ...state, waiting: null }
    case 'iteration.finished':
      return {
        ...state,
        open: null,
        lastCommit: event.commits.at(-1) ?? state.lastCommit,
        idleIterations: event.changed ? 0 : state.idleIterations + 1,
        errorCount: state.errorCount + (event.error === null ? 0 : 1),
        consecutiveErrors: event.error === null ? 0 : state.consecutiveErrors + 1,
        lastError: event.error ?? state.lastError,
      }
    case 'run.stopped':
      return { ...state, waiting: null, stopped: { reason: event.reason, exitCode: event.exitCode } }
    default:
      return unreachable(event)
  }
}

function addTokens(a: Tokens, b: Tokens): Tokens {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
  }
}
