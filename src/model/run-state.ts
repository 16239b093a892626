import { PersistentMap } from '../base/persistent-map.ts'
import { unreachable } from '../base/unreachable.ts'
import type { JsonObject } from '../base/json.ts'
import type { AgentOutcome, MovedStory, Recorded, StoryMove, Tokens, Workflow } from './event.ts'
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
  /** When it started: git locks that are older are not its. */
  readonly startedAt: string
  /** null while the agent has not ended, or nobody saw it end. */
  readonly outcome: AgentOutcome | null
  /** What went wrong with the agent, if something did. */
  readonly message: string | null
  /** Whether the agent gave the completion tag. */
  readonly promised: boolean
  /** null until the referee has judged; a verdict that was written is replayed, never given again. */
  readonly verdict: { readonly violations: readonly Violation[]; readonly unfinished: readonly Unfinished[] } | null
  readonly repaired: boolean
  /** What was last found or made legal. Whatever differs from it later is nobody's work but the checks'. */
  readonly judged: { readonly commit: string | null; readonly tree: string } | null
  /** null until it is decided what becomes of the stories. */
  readonly moves: readonly MovedStory[] | null
}

/** A check that was run; its output is in the log. */
export interface RanCheck {
  readonly command: string
  readonly exitCode: number | null
  readonly log: string
  readonly decides: boolean
  readonly cannotStart: boolean
}

/** What the next prompt has to say about the iteration before. */
export interface LastIteration {
  readonly iteration: number
  readonly mode: IterationMode | null
  readonly story: string | null
  readonly outcome: AgentOutcome | null
  readonly error: string | null
  readonly violations: readonly Violation[]
  readonly unfinished: readonly Unfinished[]
  readonly checks: readonly RanCheck[]
  readonly moves: readonly MovedStory[]
  readonly promised: boolean
}

/** What only the stories workflow remembers. */
export interface StoriesState {
  /** By story id. */
  readonly lastMove: PersistentMap<StoryMove>
  /** By story id: the commit before its first iteration in this run or the one before, where the range for its review begins. */
  readonly firstBase: PersistentMap<string>
  /** The snapshot before the first agent of this run: what people had written. */
  readonly firstTree: string | null
  /** By story id: the checks that ran when it was last submitted, for its reviewer. */
  readonly submitted: PersistentMap<readonly RanCheck[]>
  /** How often each check has failed when something hung on it, since it last passed then; the third time needs a person. */
  readonly failedChecks: Readonly<Record<string, number>>
  /** Checks that passed the last time they ran: from then on a failure is somebody's fault. */
  readonly passedChecks: Readonly<Record<string, true>>
  /** The last story whose approval was accepted: if the completion does not hold, it is the one to fix. */
  readonly lastApproved: string | null
  /** The runner's own moves that are recorded and not yet written into the list. */
  readonly pending: readonly MovedStory[]
  /** Files that only checks create. */
  readonly artefacts: readonly string[]
}

/** How a run ended, and why in more words. */
export interface Stopped {
  readonly reason: StopReason
  readonly exitCode: number
  readonly details: readonly string[]
}

/** The fold of a journal. Running and resuming know nothing else of the past. */
export interface RunState {
  readonly runId: string
  readonly workflow: Workflow
  readonly project: string
  readonly options: JsonObject
  readonly startedAt: string
  /** Whether another process has worked on this run before. */
  readonly isResumed: boolean
  /** What agents run inside; null until it is chosen. */
  readonly isolation: string | null
  readonly lastEventAt: string
  readonly lastIterationAt: string | null
  /** Iterations used, finished or not. */
  readonly iteration: number
  /** Starts of an agent, retries included; capped at three times the iterations. */
  readonly agentStarts: number
  readonly open: OpenIteration | null
  /** The checks that have run since the last iteration started, or since the stories moved; the last run of each. */
  readonly checks: readonly RanCheck[]
  /** What the last checks are to verify, while they run. What differs from it then is their doing. */
  readonly completing: { readonly commit: string; readonly tree: string } | null
  /** The last iteration that is over and counted. */
  readonly last: LastIteration | null
  /** Starts in a row that came to nothing and were not counted. */
  readonly retries: number
  /** How the last start ended; null in a run that was just taken up, whose user may have seen to it. */
  readonly lastOutcome: AgentOutcome | null
  /** No agent is started before this time. */
  readonly notBefore: string | null
  /** Time in which the run was on; the time between a crash or stop and the resume is not. */
  readonly activeMs: number
  readonly costUsd: number | null
  readonly tokens: Tokens
  readonly errorCount: number
  readonly consecutiveErrors: number
  readonly lastError: string | null
  readonly lastCommit: string | null
  readonly idleIterations: number
  readonly violations: number
  readonly waiting: { readonly reason: string; readonly until: string | null } | null
  readonly stopped: Stopped | null
  readonly stories: StoriesState
}

const noBases = new PersistentMap<string>()
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
      isResumed: false,
      isolation: null,
      lastEventAt: event.at,
      lastIterationAt: null,
      iteration: 0,
      agentStarts: 0,
      open: null,
      checks: [],
      completing: null,
      last: null,
      retries: 0,
      lastOutcome: null,
      notBefore: null,
      activeMs: 0,
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
      stories: {
        lastMove: new PersistentMap(),
        firstBase: Object.entries(event.bases).reduce((map, [id, base]) => map.with(id, base), noBases),
        firstTree: null,
        submitted: new PersistentMap(),
        failedChecks: {},
        passedChecks: {},
        lastApproved: null,
        pending: [],
        artefacts: event.artefacts,
      },
    }
  }
  if (state === null) throw new Error(`a journal that begins with ${event.kind}`)
  const sinceMs = event.kind === 'run.resumed' ? 0 : Math.max(0, Date.parse(event.at) - Date.parse(state.lastEventAt))
  return next({ ...state, lastEventAt: event.at, activeMs: state.activeMs + sinceMs }, event)
}

function next(state: RunState, event: Exclude<Recorded, { kind: 'run.started' }>): RunState {
  switch (event.kind) {
    case 'run.resumed':
      return {
        ...state,
        isResumed: true,
        stopped: null,
        waiting: null,
        lastOutcome: null,
        // A completion that was cut off begins anew, with all of its checks.
        checks: state.completing === null ? state.checks : [],
        options: { ...state.options, ...event.flags },
      }
    case 'iteration.started':
      return {
        ...state,
        iteration: event.iteration,
        agentStarts: state.agentStarts + 1,
        lastIterationAt: event.at,
        checks: [],
        completing: null,
        open: {
          iteration: event.iteration,
          mode: event.mode,
          story: event.story,
          agent: event.agent,
          sessionId: event.sessionId,
          base: event.base,
          branch: event.branch,
          tree: event.tree,
          startedAt: event.at,
          outcome: null,
          message: null,
          promised: false,
          verdict: null,
          repaired: false,
          judged: null,
          moves: null,
        },
        stories: storyStarted(state.stories, event),
      }
    case 'agent.finished':
      return {
        ...state,
        open: state.open && { ...state.open, outcome: event.outcome, message: event.message, promised: event.promised },
        lastOutcome: event.outcome,
        notBefore: event.retryAt,
        costUsd: event.costUsd === null ? state.costUsd : (state.costUsd ?? 0) + event.costUsd,
        tokens: event.tokens === null ? state.tokens : addTokens(state.tokens, event.tokens),
      }
    case 'check.finished': {
      const { command, exitCode, log, decides, cannotStart } = event
      const others = state.checks.filter((check) => check.command !== command)
      return { ...state, checks: [...others, { command, exitCode, log, decides, cannotStart }] }
    }
    case 'verdict.given':
      return {
        ...state,
        violations: state.violations + event.violations.length + (event.moreViolations ?? 0),
        open: state.open && {
          ...state.open,
          verdict: { violations: event.violations, unfinished: event.unfinished },
          judged: { commit: event.head, tree: event.tree },
        },
      }
    case 'state.repaired':
      return {
        ...state,
        open: state.open && {
          ...state.open,
          repaired: true,
          judged: { commit: event.commit ?? state.open.judged?.commit ?? null, tree: event.tree },
        },
        stories: { ...state.stories, pending: [] },
        lastCommit: event.commit ?? state.lastCommit,
      }
    case 'stories.moved':
      return storiesMoved(state, event)
    case 'isolation.chosen':
      return { ...state, isolation: event.backend }
    case 'completion.started':
      return { ...state, completing: { commit: event.commit, tree: event.tree } }
    case 'wait.started':
      return { ...state, waiting: { reason: event.reason, until: event.until } }
    case 'wait.ended':
      return { ...state, waiting: null, notBefore: null }
    case 'iteration.finished':
      if (!event.counted) {
        return {
          ...state,
          open: null,
          iteration: event.iteration - 1,
          retries: state.retries + 1,
          lastError: event.error ?? state.lastError,
        }
      }
      return {
        ...state,
        open: null,
        retries: 0,
        last: state.open && lastOf(state.open, state.checks, event.error),
        lastCommit: event.commits.at(-1) ?? state.lastCommit,
        idleIterations: event.changed ? 0 : state.idleIterations + (isIdle(state.open, event.error) ? 1 : 0),
        errorCount: state.errorCount + (event.error === null ? 0 : 1),
        consecutiveErrors: event.error === null ? 0 : state.consecutiveErrors + 1,
        lastError: event.error ?? state.lastError,
      }
    case 'run.stopped':
      return { ...state, completing: null, waiting: null, stopped: stoppedBy(event) }
    default:
      return unreachable(event)
  }
}

/** What failed is counted as an error, and who was interrupted had no chance; idle is who does nothing and calls that a success. */
const stoppedBy = ({ reason, exitCode, details = [] }: Extract<Recorded, { kind: 'run.stopped' }>): Stopped => ({
  reason,
  exitCode,
  details,
})

const isIdle = (open: OpenIteration | null, error: string | null): boolean =>
  error === null && open?.outcome !== 'interrupted'

function lastOf(open: OpenIteration, checks: readonly RanCheck[], error: string | null): LastIteration {
  return {
    iteration: open.iteration,
    mode: open.mode,
    story: open.story,
    outcome: open.outcome,
    error,
    violations: open.verdict?.violations ?? [],
    unfinished: open.verdict?.unfinished ?? [],
    checks,
    moves: open.moves ?? [],
    promised: open.promised,
  }
}

function storyStarted(
  stories: StoriesState,
  { mode, story, base, tree }: Extract<Recorded, { kind: 'iteration.started' }>,
): StoriesState {
  const firstTree = stories.firstTree ?? tree
  const isKnown = story === null || mode === 'review' || stories.firstBase.get(story) !== undefined
  return { ...stories, firstTree, ...(isKnown ? {} : { firstBase: stories.firstBase.with(story, base) }) }
}

/** In an open iteration its end is near; without one a completion did not hold, and the next prompt must say so. */
function storiesMoved(state: RunState, event: Extract<Recorded, { kind: 'stories.moved' }>): RunState {
  const { open, last, checks } = state
  return {
    ...state,
    violations: state.violations + event.violations.length + (event.moreViolations ?? 0),
    completing: null,
    open: open && { ...open, moves: event.moves, verdict: open.verdict && joined(open.verdict, event.violations) },
    last: open === null && last !== null ? { ...joined(last, event.violations), moves: event.moves, checks } : last,
    stories: moveStories(state.stories, event.moves, event.artefacts, checks),
  }
}

const joined = <T extends Pick<LastIteration, 'violations'>>(a: T, more: readonly Violation[]): T => ({
  ...a,
  violations: [...a.violations, ...more],
})

/** One check that fails so often when something hangs on it needs a person. */
export const tooOften = 3

function moveStories(
  stories: StoriesState,
  moves: readonly MovedStory[],
  artefacts: readonly string[],
  checks: readonly RanCheck[],
): StoriesState {
  const failed = new Map(Object.entries(stories.failedChecks))
  const passed = new Map(Object.entries(stories.passedChecks))
  for (const { command, exitCode, decides, cannotStart } of checks) {
    if (exitCode === 0) {
      // One that passes for the reviewer and fails when it counts, again and again, is for a person to see to.
      if (decides) failed.delete(command)
      passed.set(command, true)
    } else {
      passed.delete(command)
      // What cannot even start is for a person to see to, at once.
      const times = cannotStart ? tooOften : (failed.get(command) ?? 0) + 1
      if (decides) failed.set(command, times)
    }
  }
  const approved = moves.findLast(
    ({ to }) => to === 'approved' || to === 'approved_at_cap' || to === 'passed_unreviewed',
  )
  return {
    ...stories,
    lastMove: moves.reduce((map, { story, to }) => map.with(story, to), stories.lastMove),
    submitted: moves
      .filter(({ to }) => to === 'needs_review')
      .reduce((map, { story }) => map.with(story, checks), stories.submitted),
    failedChecks: Object.fromEntries(failed),
    passedChecks: Object.fromEntries(passed),
    lastApproved: approved?.story ?? stories.lastApproved,
    pending: moves.filter(({ by }) => by === 'runner'),
    artefacts: artefacts.length === 0 ? stories.artefacts : [...new Set([...stories.artefacts, ...artefacts])],
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
