import { unreachable } from '../base/unreachable.ts'
import { visibleLine } from '../base/visible.ts'
import type { Event } from '../model/event.ts'
import { agentWords } from './agent-words.ts'
import { checkWords } from './check-words.ts'
import { formatCost, formatTook, listed, plural } from './format-amounts.ts'
import { moveWords } from './move-words.ts'
import { stopSentence } from './stop-sentence.ts'
import { repairWords } from './repair-words.ts'
import { waitWords } from './wait-words.ts'

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
    case 'isolation.chosen':
      return `Isolation: ${event.description}`
    case 'iteration.started':
      return iterationStarted(event)
    case 'agent.finished':
      return agentWords('The agent', event)
    case 'check.finished':
      return `Check ${event.exitCode === 0 ? 'passed' : 'failed'}: ${event.command} ${checkWords(event)}`
    case 'verdict.given':
      return verdictGiven(event)
    case 'state.repaired':
      return repaired(event)
    case 'stories.moved':
      return storiesMoved(event)
    case 'completion.started':
      return `Everything is approved: all checks once more, on commit ${event.commit.slice(0, 8)}`
    case 'wait.started':
      return `Waiting for ${waitWords(event.reason)}${untilUtc(event.until)}`
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

function verdictGiven({ violations, moreViolations, unfinished, branches = [] }: Of<'verdict.given'>): string {
  const parts = [
    ...(violations.length === 0 ? [] : [`caught ${listed(violations.map(violationWords), 3, moreViolations)}`]),
    ...(branches.length === 0 ? [] : [`other branches: ${listed(branches)}`]),
    ...(unfinished.length === 0 ? [] : [`unfinished: ${listed(unfinished.map(({ message }) => message))}`]),
  ]
  return `Referee: ${parts.length === 0 ? 'nothing illegal' : parts.join('; ')}`
}

const violationWords = ({ rule, message }: { rule: string; message: string }): string =>
  `${rule}: ${visibleLine(message)}`

function repaired({ what, commit }: Of<'state.repaired'>): string | null {
  if (what.length === 0 && commit === null) return null
  return `Runner: ${repairWords(what, commit)}`
}

function storiesMoved({ moves, violations, moreViolations }: Of<'stories.moved'>): string | null {
  const changed = listed(violations.map(violationWords), 3, moreViolations)
  const parts = [
    ...moves.map(({ story, to, by }) => `${story} ${moveWords[to]}${by === 'runner' ? ' (by the runner)' : ''}`),
    ...(violations.length === 0 ? [] : [`the checks changed: ${changed}`]),
  ]
  return parts.length === 0 ? null : listed(parts, 10)
}

/** Where the times of all other lines come from the journal, this one is not in another zone. */
function untilUtc(until: string | null): string {
  const time = new Date(until ?? Number.NaN)
  return Number.isNaN(time.getTime()) ? '' : `, until ${time.toISOString().slice(11, 16)} UTC`
}

function iterationFinished({ iteration, changed, commits, error, counted }: Of<'iteration.finished'>): string {
  const came = commits.length > 0 ? plural(commits.length, 'commit') : changed ? 'changed' : 'nothing changed'
  const again = counted ? '' : ', not counted'
  return `Iteration ${iteration} finished: ${came}${again}${error === null ? '' : `; error: ${error}`}`
}

function runStopped({ reason, exitCode, totals, details = [] }: Of<'run.stopped'>): string {
  const figures = [
    plural(totals.iterations, 'iteration'),
    formatTook(totals.durationMs),
    ...(totals.costUsd === null ? [] : [formatCost(totals.costUsd)]),
    `exit ${exitCode}`,
  ]
  const why = details.length === 0 ? '' : `: ${listed(details)}`
  return `${stopSentence[reason]} (${reason}; ${figures.join(', ')})${why}`
}
