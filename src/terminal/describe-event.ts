import { unreachable } from '../base/unreachable.ts'
import { visibleLine } from '../base/visible.ts'
import type { Event } from '../model/event.ts'
import { formatCost, formatTokens, formatTook, listed, plural } from './format-amounts.ts'
import { moveWords } from './move-words.ts'
import { outcomeWords } from './outcome-words.ts'
import { stopSentence } from './stop-sentence.ts'
import { untilWords, waitWords } from './wait-words.ts'

/** The longest line that is still read. */
const maxLength = 500

/** An event as one line in plain words, safe to print; null if it says nothing that a person needs. */
export function describeEvent(event: Event): string | null {
  const words = wordsOf(event)
  return words === null ? null : visibleLine(words, maxLength)
}

type Of<K extends Event['kind']> = Extract<Event, { kind: K }>

function wordsOf(event: Event): string | null {
  switch (event.kind) {
    case 'run.started':
      return `Run ${event.runId} started (${event.workflow}, ralph ${event.version})`
    case 'run.resumed':
      return resumed(event)
    case 'iteration.started':
      return iterationStarted(event)
    case 'agent.finished':
      return agentFinished(event)
    case 'check.finished':
      return checkFinished(event)
    case 'verdict.given':
      return verdictGiven(event)
    case 'state.repaired':
      return repaired(event)
    case 'stories.moved':
      return storiesMoved(event)
    case 'wait.started':
      return `Waiting for ${waitWords(event.reason)}${untilWords(event.until)}`
    case 'wait.ended':
      return `Waited for ${waitWords(event.reason)}, going on`
    case 'iteration.finished':
      return iterationFinished(event)
    case 'run.stopped':
      return runStopped(event)
    default:
      return unreachable(event)
  }
}

function resumed({ flags }: Of<'run.resumed'>): string {
  const given = Object.keys(flags)
  return given.length === 0 ? 'Run resumed' : `Run resumed with other ${given.join(', ')}`
}

function iterationStarted({ iteration, mode, story, agent, model }: Of<'iteration.started'>): string {
  const what = [mode, story].filter((part) => part !== null).join(' ')
  return `Iteration ${iteration}: ${what === '' ? '' : `${what} `}with ${agent}${model === null ? '' : ` (${model})`}`
}

function agentFinished({ outcome, exitCode, signal, ...event }: Of<'agent.finished'>): string {
  const figures = [
    formatTook(event.durationMs),
    ...(outcome === 'succeeded' || exitCode === null ? [] : [`exit ${exitCode}`]),
    ...(signal === null ? [] : [signal]),
    ...(event.costUsd === null ? [] : [formatCost(event.costUsd)]),
    ...(event.tokens === null ? [] : [formatTokens(event.tokens)]),
  ]
  const message = event.message === null ? '' : `: ${event.message}`
  return `The agent ${outcomeWords[outcome]} (${figures.join(', ')})${message}`
}

function checkFinished({ command, exitCode, durationMs, log, decides }: Of<'check.finished'>): string {
  const note = decides ? '' : ', for the reviewer'
  const took = formatTook(durationMs)
  if (exitCode === 0) return `Check passed: ${command} (${took}${note})`
  return `Check failed: ${command} (${exitWords(exitCode)}, ${took}${note}), see ${log}`
}

/** A check without an exit code did not end by itself. */
export function exitWords(exitCode: number | null): string {
  return exitCode === null ? 'did not end' : `exit ${exitCode}`
}

function verdictGiven({ violations, unfinished }: Of<'verdict.given'>): string {
  const parts = [
    ...(violations.length === 0 ? [] : [`caught ${listed(violations.map(violationWords))}`]),
    ...(unfinished.length === 0 ? [] : [`unfinished: ${listed(unfinished.map(({ message }) => message))}`]),
  ]
  return `Referee: ${parts.length === 0 ? 'nothing illegal' : parts.join('; ')}`
}

const violationWords = ({ rule, message }: { rule: string; message: string }): string =>
  `${rule}: ${visibleLine(message)}`

function repaired({ what, commit }: Of<'state.repaired'>): string | null {
  if (what.length === 0 && commit === null) return null
  const done = what.length === 0 ? 'Committed by the runner' : `Put right: ${listed(what, 5)}`
  return commit === null ? done : `${done} (commit ${commit.slice(0, 8)})`
}

function storiesMoved({ moves, violations }: Of<'stories.moved'>): string | null {
  const parts = [
    ...moves.map(({ story, to, by }) => `${story} ${moveWords[to]}${by === 'runner' ? ' (by the runner)' : ''}`),
    ...(violations.length === 0 ? [] : [`the checks changed: ${listed(violations.map(violationWords))}`]),
  ]
  return parts.length === 0 ? null : listed(parts, 10)
}

function iterationFinished({ iteration, changed, commits, error, counted }: Of<'iteration.finished'>): string {
  const came = commits.length > 0 ? plural(commits.length, 'commit') : changed ? 'changed' : 'nothing changed'
  const again = counted ? '' : ', not counted, will be tried again'
  return `Iteration ${iteration} finished: ${came}${again}${error === null ? '' : `; error: ${error}`}`
}

function runStopped({ reason, exitCode, totals }: Of<'run.stopped'>): string {
  const figures = [
    plural(totals.iterations, 'iteration'),
    formatTook(totals.durationMs),
    ...(totals.costUsd === null ? [] : [formatCost(totals.costUsd)]),
    `exit ${exitCode}`,
  ]
  return `${stopSentence[reason]} (${reason}; ${figures.join(', ')})`
}
