import type { RunState } from '../model/run-state.ts'
import { oneLine } from '../base/one-line.ts'
import { unreachable } from '../base/unreachable.ts'
import type { StoryView, Summary } from './display.ts'
import { formatCost, formatTokens, formatTook, plural } from './format-amounts.ts'
import { shown } from './lay-out.ts'
import { summaryLine, type Line } from './line.ts'
import { moveWords } from './move-words.ts'
import { stopSentence } from './stop-sentence.ts'
import type { Mark } from './symbols.ts'
import { cutToWidth, textWidth } from './text-width.ts'

const maxStories = 40
const maxCaught = 10
const maxSurface = 10
const maxIdWidth = 32
const blank = summaryLine('')

/** What a person wants to know in the morning; the last line is what to type. */
export function summaryLines(summary: Summary): Line[] {
  const { state, details, journal, nextCommand } = summary
  const sections = [
    [verdictLine(state), ...details.map((text) => bullet(text))],
    storyLines(summary),
    caughtLines(summary),
    surfaceLines(summary),
    branchLines(summary),
    listLines('Concerns:', summary.concerns),
    [...totalLines(summary), summaryLine(`Journal: ${journal}`, { tone: 'dim', fit: 'whole' })],
    nextCommand === null ? [] : [summaryLine(`Next: ${nextCommand}`, { tone: 'strong', fit: 'whole' })],
  ]
  return sections.flatMap((section) => (section.length === 0 ? [] : [blank].concat(section)))
}

const bullet = (text: string): Line => summaryLine(text, { indent: 2, mark: 'item' })

function verdictLine({ stopped }: RunState): Line {
  if (stopped === null) return summaryLine('Not stopped yet.', { mark: 'attention' })
  const { reason, exitCode } = stopped
  const mark = reason === 'complete' ? 'ok' : exitCode === 0 || exitCode === 4 ? 'attention' : 'fail'
  return summaryLine(`${stopSentence[reason]} (${reason})`, { mark, tone: 'strong' })
}

function storyLines({ view, state }: Summary): Line[] {
  const { stories } = view
  if (stories.length === 0) return []
  const done = stories.filter((story) => story.state === 'done').length
  const picked = pick(stories)
  const rows = picked.map((story) => ({
    story,
    id: cutToWidth(shown(story.id), maxIdWidth),
    words: stateWords(story, state),
    reviews: story.reviewCount > 0 ? plural(story.reviewCount, 'review') : '',
  }))
  const width = (column: 'id' | 'words' | 'reviews') => Math.max(...rows.map((row) => textWidth(row[column])))
  const [idWidth, wordsWidth, reviewsWidth] = [width('id'), width('words'), width('reviews')]
  const left = stories.length - picked.length
  const leftDone = done - picked.filter((story) => story.state === 'done').length
  return [
    summaryLine(`Stories: ${done} of ${stories.length} done`),
    ...rows.flatMap(({ story, id, words, reviews }) => {
      const columns = [padded(id, idWidth), padded(words, wordsWidth), padded(reviews, reviewsWidth), story.title]
      const row = summaryLine(columns.join('  '), { indent: 2, mark: stateMarks[story.state], fit: 'cut' })
      return story.state === 'changes_requested' && story.feedback !== '' ? [row, feedbackLine(story)] : [row]
    }),
    ...(left === 0 ? [] : [summaryLine(`and ${left} more (${leftDone} done)`, { indent: 2, tone: 'dim' })]),
  ]
}

const feedbackLine = ({ feedback }: StoryView): Line =>
  summaryLine(`feedback: ${oneLine(feedback)}`, { indent: 6, tone: 'dim', fit: 'cut' })

/** In the order of the list; where there are too many, those that are not done come before those that are. */
function pick(stories: readonly StoryView[]): readonly StoryView[] {
  if (stories.length <= maxStories) return stories
  const isDone = (story: StoryView) => story.state === 'done'
  const first = [...stories.filter((story) => !isDone(story)), ...stories.filter(isDone)].slice(0, maxStories)
  const picked = new Set(first)
  return stories.filter((story) => picked.has(story))
}

function stateWords({ id, state }: StoryView, run: RunState): string {
  switch (state) {
    case 'done': {
      const move = run.stories.lastMove.get(id)
      return move === 'approved' || move === 'approved_at_cap' || move === 'passed_unreviewed'
        ? moveWords[move]
        : 'done'
    }
    case 'needs_review':
    case 'changes_requested':
      return moveWords[state]
    case 'blocked':
    case 'open':
      return state
    default:
      return unreachable(state)
  }
}

const stateMarks: Readonly<Record<StoryView['state'], Mark>> = {
  done: 'ok',
  needs_review: 'open',
  changes_requested: 'fail',
  blocked: 'attention',
  open: 'open',
}

const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - textWidth(text)))

function caughtLines({ caught, state }: Summary): Line[] {
  if (caught.length === 0) return []
  const last = caught.slice(-maxCaught)
  const total = Math.max(state.violations, caught.length)
  const which = total > last.length ? ` (the last ${last.length} of ${total})` : ''
  return [
    summaryLine(`Caught and put back by the referee${which}:`),
    ...last.map((text) => summaryLine(text, { indent: 2, mark: 'fail' })),
  ]
}

/** Legal, and the first thing to look at for whoever trusts in the checks. */
function surfaceLines({ surface }: Summary): Line[] {
  if (surface.length === 0) return []
  const named = surface.slice(0, maxSurface)
  const which = surface.length > named.length ? ` (${named.length} of ${surface.length})` : ''
  return [summaryLine(`Changed, and the checks or agents rely on it${which}:`), ...named.map((path) => bullet(path))]
}

/** Not the loop's business, and nobody should find it out by chance. */
function branchLines({ branches }: Summary): Line[] {
  const named = branches.slice(0, maxSurface)
  const which = branches.length > named.length ? ` (${named.length} of ${branches.length})` : ''
  return listLines(`Other branches changed meanwhile and were left so${which}:`, named)
}

function listLines(title: string, items: readonly string[]): Line[] {
  return items.length === 0 ? [] : [summaryLine(title, { tone: 'attention' }), ...items.map((text) => bullet(text))]
}

function totalLines({ state, commits, branch, durationMs }: Summary): Line[] {
  const { tokens } = state
  const isCounted = Object.values(tokens).some((count) => count > 0)
  const cost =
    state.costUsd === null ? (state.agentStarts === 0 ? [] : ['cost not reported']) : [formatCost(state.costUsd)]
  const figures = [
    plural(state.iteration, 'iteration'),
    `${plural(commits, 'commit')}${commits === 0 || branch === undefined ? '' : ` on ${branch}`}`,
    formatTook(durationMs),
    ...cost,
    ...(isCounted ? [formatTokens(tokens)] : []),
  ]
  return [summaryLine(`Total: ${figures.join(', ')}`)]
}
