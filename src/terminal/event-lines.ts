import { oneLine } from '../base/one-line.ts'
import { unreachable } from '../base/unreachable.ts'
import type { Event, MovedStory } from '../model/event.ts'
import type { RunState } from '../model/run-state.ts'
import { agentWords } from './agent-words.ts'
import { checkWords } from './check-words.ts'
import type { RunView } from './display.ts'
import { formatCost, formatTook, plural } from './format-amounts.ts'
import { runnerLine, type Line } from './line.ts'
import { moveWords } from './move-words.ts'
import { repairWords } from './repair-words.ts'
import type { Symbols } from './symbols.ts'
import type { ToolTally } from './tool-calls.ts'
import { untilWords, waitWords } from './wait-words.ts'

/** What an event is shown with; the state already holds it. */
export interface EventContext {
  readonly state: RunState
  readonly view: RunView
  readonly symbols: Symbols
  /** What the agent did, where it has just ended and was watched. */
  readonly tools: ToolTally | null
}

type Of<K extends Event['kind']> = Extract<Event, { kind: K }>

/** An event as a person follows it live. */
export function eventLines(event: Event, context: EventContext): Line[] {
  switch (event.kind) {
    case 'run.started':
      return [runnerLine(`Run ${event.runId}`, { indent: 0, tone: 'dim' })]
    case 'run.resumed':
      return resumed(event, context.state)
    case 'isolation.chosen':
      return [runnerLine(`Isolation: ${event.description}.`, { indent: 0 })]
    case 'iteration.started':
      return [iterationHeading(event, context)]
    case 'agent.finished':
      return agentFinished(event, context)
    case 'check.finished':
      return [checkLine(event)]
    case 'verdict.given':
      return verdictGiven(event)
    case 'state.repaired':
      return repaired(event)
    case 'stories.moved':
      return [...event.moves.flatMap((move) => moved(move, context)), ...caught(event)]
    case 'completion.started':
      return [completionLine(event)]
    case 'wait.started':
      return [runnerLine(`waiting for ${waitWords(event.reason)}${untilWords(event.until)}`, { mark: 'attention' })]
    case 'wait.ended':
      return [runnerLine('going on')]
    case 'iteration.finished':
      return iterationFinished(event)
    case 'run.stopped':
      return [stopHeading(event, context.symbols)]
    default:
      return unreachable(event)
  }
}

function completionLine({ commit }: Of<'completion.started'>): Line {
  return runnerLine(`Everything is approved. All checks once more, on commit ${commit.slice(0, 8)}:`, { indent: 0 })
}

function resumed({ flags }: Of<'run.resumed'>, { runId, iteration }: RunState): Line[] {
  const given = Object.keys(flags)
  const changed = given.length === 0 ? '' : `, with other ${given.join(', ')}`
  return [runnerLine(`Resumed run ${runId} after ${plural(iteration, 'iteration')}${changed}`, { indent: 0 })]
}

function heading(parts: readonly string[], { rule, dot }: Symbols): string {
  return `${rule} ${parts.join(` ${dot} `)} ${rule}`
}

function iterationHeading({ iteration, mode, story }: Of<'iteration.started'>, context: EventContext): Line {
  const { state, view, symbols } = context
  const title = view.stories.find(({ id }) => id === story)?.title ?? ''
  const parts = [
    `Iteration ${iteration} of ${view.maxIterations}`,
    ...(state.retries === 0 ? [] : [`try ${state.retries + 1}`]),
    ...(mode === null ? [] : [mode]),
    ...(story === null ? [] : [`${story} ${title}`.trim()]),
  ]
  return runnerLine(heading(parts, symbols), { indent: 0, tone: 'strong', fit: 'cut' })
}

function agentFinished(event: Of<'agent.finished'>, { state, tools }: EventContext): Line[] {
  const words = agentWords(state.open?.agent ?? 'the agent', event)
  const more = [
    ...(tools === null || tools.calls === 0 ? [] : [tallyWords(tools)]),
    ...(event.promised ? ['it says that everything is done; that is verified'] : []),
  ]
  return [
    runnerLine(words, { mark: event.outcome === 'succeeded' ? 'ok' : 'fail' }),
    ...more.map((text) => runnerLine(text, { level: 'verbose', tone: 'dim' })),
  ]
}

const tallyWords = ({ calls, failed }: ToolTally): string =>
  `${plural(calls, 'tool call')}, ${failed === 0 ? 'none' : failed} failed`

function checkLine(event: Of<'check.finished'>): Line {
  const { command, exitCode, durationMs, decides } = event
  const words = exitCode === 0 && decides ? formatTook(durationMs) : checkWords(event)
  return runnerLine(`${command} ${words}`, { mark: exitCode === 0 ? 'ok' : 'fail' })
}

function verdictGiven(event: Of<'verdict.given'>): Line[] {
  const { violations, unfinished, branches = [] } = event
  const isClean = violations.length === 0 && unfinished.length === 0
  return [
    ...caught(event),
    ...branches.map((words) => runnerLine(`branch ${words}`, { level: 'quiet', mark: 'attention', tone: 'attention' })),
    ...unfinished.map(({ message }) => runnerLine(`unfinished: ${message}`, { level: 'verbose', mark: 'attention' })),
    ...(isClean ? [runnerLine('referee: nothing illegal', { level: 'verbose', tone: 'dim' })] : []),
  ]
}

/** Enough to see what goes on; the journal has more. */
const maxCaught = 20

function caught({ violations, moreViolations = 0 }: Of<'verdict.given' | 'stories.moved'>): Line[] {
  const lines = violations
    .slice(0, maxCaught)
    .map(({ rule, message }) => runnerLine(`caught: ${rule} ${message}`, { level: 'quiet', mark: 'fail', tone: 'bad' }))
  const more = violations.length + moreViolations - lines.length
  if (more <= 0) return lines
  return [...lines, runnerLine(`caught: ${more} more`, { level: 'quiet', mark: 'fail', tone: 'bad' })]
}

function repaired({ what, commit }: Of<'state.repaired'>): Line[] {
  if (what.length === 0 && commit === null) return []
  return [runnerLine(repairWords(what, commit))]
}

function moved({ story, to }: MovedStory, { view, symbols }: EventContext): Line[] {
  const { reviewCount = 0, feedback = '' } = view.stories.find(({ id }) => id === story) ?? {}
  const review = reviewCount > 0 ? ` (review ${reviewCount})` : ''
  switch (to) {
    case 'approved':
    case 'approved_at_cap':
      return [runnerLine(`${story} ${symbols.marks.ok} ${moveWords[to]}${review}`, { tone: 'good' })]
    case 'passed_unreviewed':
      return [runnerLine(`${story} ${symbols.marks.ok} ${moveWords[to]}`, { tone: 'good' })]
    case 'changes_requested':
      return [
        runnerLine(`${story} ${symbols.arrow} ${moveWords[to]}${review}`, { tone: 'attention' }),
        ...(feedback === ''
          ? []
          : [runnerLine(`feedback: ${oneLine(feedback)}`, { indent: 4, tone: 'dim', fit: 'cut' })]),
      ]
    case 'needs_review':
    case 'reopened':
      return [runnerLine(`${story} ${symbols.arrow} ${moveWords[to]}`)]
    default:
      return unreachable(to)
  }
}

function iterationFinished({ iteration, changed, commits, error, counted }: Of<'iteration.finished'>): Line[] {
  const trouble = error === null ? [] : [runnerLine(`iteration ${iteration}: ${error}`, { mark: 'fail' })]
  if (!counted) return [...trouble, runnerLine('this start is not counted as an iteration', { mark: 'attention' })]
  if (commits.length > 0) return [...trouble, runnerLine(plural(commits.length, 'commit'), { tone: 'dim' })]
  return changed ? trouble : [...trouble, runnerLine('nothing changed', { mark: 'attention' })]
}

function stopHeading({ totals }: Of<'run.stopped'>, symbols: Symbols): Line {
  const parts = [
    `Stopped after ${plural(totals.iterations, 'iteration')}`,
    formatTook(totals.durationMs),
    ...(totals.costUsd === null ? [] : [formatCost(totals.costUsd)]),
  ]
  return runnerLine(heading(parts, symbols), { level: 'quiet', indent: 0, tone: 'strong', fit: 'cut' })
}
