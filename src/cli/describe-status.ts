import { unreachable } from '../base/unreachable.ts'
import { visibleLine } from '../base/visible.ts'
import type { ProjectLook } from '../journal/look-at-project.ts'
import type { RunState } from '../model/run-state.ts'
import { formatCost, formatTokens, formatTook, plural } from '../terminal/format-amounts.ts'
import { stopSentence } from '../terminal/stop-sentence.ts'
import { untilWords, waitWords } from '../terminal/wait-words.ts'
import type { StoryCounts } from './count-stories.ts'
import { nextStep, type StoriesLeft } from './next-step.ts'
import { nothingHere } from './nothing-here.ts'
import type { Status } from './status-of.ts'

/** Where and when somebody looks. */
export interface Position {
  readonly root: string
  readonly nowMs: number
  /** Nobody has written a story of the next loop yet. */
  readonly isTemplate: boolean
}

const writeStories = 'Write the stories of the next loop; "ralph check" says whether "ralph run" can start with them.'

/** The status for people: a few lines, the last one says what to do. */
export function describeStatus(status: Status, { lock, run }: ProjectLook, at: Position): string[] {
  return [
    headline(status, run, at),
    ...(run?.stopped?.details ?? []).map((detail) => `  - ${visibleLine(detail, 500)}`),
    ...holderLines(status, { lock }),
    ...(run === null ? [] : [runLine(status, run)]),
    ...storiesLines(status, at, run?.options['skipReview'] === true),
    ...(run === null || run.iteration === 0 ? [] : [usedLine(run)]),
    ...(run !== null && run.errorCount > 0 ? [errorsLine(run)] : []),
    ...(run === null || run.lastCommit === null ? [] : [`Last commit: ${visibleLine(run.lastCommit.slice(0, 12))}`]),
    `Next: ${at.isTemplate && status.state === 'stopped' ? writeStories : nextStep(status.state, status.stopReason, leftOf(status))}`,
  ]
}

function leftOf({ stories }: Status): StoriesLeft | undefined {
  return stories === null ? undefined : { blocked: stories.blocked, open: stories.total - stories.approved }
}

function headline(status: Status, run: RunState | null, { root, nowMs }: Position): string {
  switch (status.state) {
    case 'none':
      return nothingHere(root)
    case 'running':
      return run === null ? 'Running: just starting.' : `Running: ${doing(run, nowMs)}.`
    case 'crashed':
      return `Crashed: the run ended without a word${run?.open ? ` in iteration ${run.open.iteration}` : ''}.`
    case 'stopped':
      return run?.stopped ? stopSentence[run.stopped.reason] : 'Stopped.'
    default:
      return unreachable(status.state)
  }
}

function doing({ waiting, open, iteration }: RunState, nowMs: number): string {
  if (waiting !== null) return visibleLine(`waiting for ${waitWords(waiting.reason)}${untilWords(waiting.until)}`)
  if (open === null) return iteration === 0 ? 'before the first iteration' : `after iteration ${iteration}`
  const what = [open.mode, open.story].filter((part) => part !== null).join(' ')
  const sinceMs = Math.max(0, nowMs - Date.parse(open.startedAt))
  return visibleLine(`iteration ${open.iteration}, ${what === '' ? '' : `${what}, `}for ${formatTook(sinceMs)}`)
}

/** Who holds the project, where that is not what the headline says already. */
function holderLines({ state, pid }: Status, { lock }: Pick<ProjectLook, 'lock'>): string[] {
  if (lock.kind === 'foreign') {
    const host = visibleLine(lock.owner.host, 80)
    return [`Process ${lock.owner.pid} on "${host}" holds it; from here nobody can see whether it is alive.`]
  }
  if (lock.kind === 'unreadable') return [`Its lock cannot be read: ${visibleLine(lock.why)}.`]
  return pid !== null && state !== 'running' ? [`Process ${pid} holds the project: it is starting or ending.`] : []
}

function runLine({ pid, maxIterations }: Status, run: RunState): string {
  const of = maxIterations === null ? '' : ` of ${maxIterations}`
  const by = pid === null ? '' : `, process ${pid}`
  const started = `${run.startedAt.slice(0, 19).replace('T', ' ')} UTC`
  return `Run ${visibleLine(run.runId, 64)}: ${run.iteration}${of} iterations, started ${started}${by}`
}

function storiesLines({ stories, workflow }: Status, { isTemplate }: Position, skipReview: boolean): string[] {
  if (isTemplate) return ['Stories: none is written yet.']
  if (stories !== null) return [storiesLine(stories, skipReview ? 'done' : 'approved')]
  return workflow === 'stories' ? ['Stories: the list cannot be read now; "ralph check" says why.'] : []
}

function storiesLine(
  { total, approved, needsReview, changesRequested, blocked, open }: StoryCounts,
  done: string,
): string {
  const others = [
    [needsReview, 'to review'],
    [changesRequested, 'to fix'],
    [open, 'open'],
    [blocked, 'blocked'],
  ] as const
  const rest = others.filter(([count]) => count > 0).map(([count, words]) => `, ${count} ${words}`)
  return `Stories: ${approved} of ${total} ${done}${rest.join('')}`
}

function usedLine({ costUsd, tokens, activeMs }: RunState): string {
  const cost = costUsd === null ? '' : `${formatCost(costUsd)}, `
  return `Used: ${cost}${formatTokens(tokens)}, ${formatTook(activeMs)}`
}

function errorsLine({ errorCount, consecutiveErrors, lastError }: RunState): string {
  const last = lastError === null ? '' : `; the last: ${visibleLine(lastError, 300)}`
  return `Errors: ${plural(errorCount, 'iteration')}, ${consecutiveErrors} in a row${last}`
}
