import { readJournal } from '../journal/read-journal.ts'
import type { RunEnd } from '../loop/run.ts'
import type { RunState } from '../model/run-state.ts'
import type { Story, TaskList } from '../model/story.ts'
import { isBlocked, isDone } from '../tasks/select-story.ts'
import type { RunView, StoryView, Summary } from '../terminal/display.ts'
import { nextStep } from './next-step.ts'

/** The list as people see it. */
export function viewOf(
  list: TaskList,
  { maxIterations, skipReview }: { maxIterations: number; skipReview: boolean },
): RunView {
  return { maxIterations, stories: list.userStories.map((story) => storyView(story, skipReview)) }
}

function storyView(story: Story, skipReview: boolean): StoryView {
  const { id, title, reviewCount, reviewFeedback: feedback, reviewStatus } = story
  const state = isDone(story, skipReview)
    ? 'done'
    : isBlocked(story)
      ? 'blocked'
      : reviewStatus === 'needs_review' || reviewStatus === 'changes_requested'
        ? reviewStatus
        : 'open'
  return { id, title, state, reviewCount, feedback }
}

interface Ended {
  readonly state: RunState
  readonly view: RunView
  readonly end: RunEnd
  readonly surface: readonly string[]
}

/** What happened, from the journal, for the person who comes back in the morning. */
export function summarize(journal: string, { state, view, end, surface }: Ended): Summary {
  const caught: string[] = []
  const branches = new Set<string>()
  let commits = 0
  let branch: string | undefined
  // It was written by this very process: if it cannot be read, that much is missing from the summary and no more.
  readJournal(journal, (event) => {
    if (event.kind === 'verdict.given' || event.kind === 'stories.moved') {
      caught.push(...event.violations.map(({ rule, message }) => `iteration ${event.iteration}: ${rule}: ${message}`))
    }
    if (event.kind === 'verdict.given') for (const words of event.branches ?? []) branches.add(words)
    if (event.kind === 'iteration.finished') commits += event.commits.length
    if (event.kind === 'iteration.started') branch = event.branch
  })
  const isConcern = end.reason === 'complete_with_concerns'
  // Only with --story is a run done before its list is.
  const open =
    isConcern || end.reason === 'complete' ? view.stories.filter((story) => story.state !== 'done').length : 0
  const blocked = view.stories.filter((story) => story.state === 'blocked').length
  const onlyPart = open === 0 ? [] : [`That is the story that was asked for; others are open: ${open}.`]
  return {
    state,
    view,
    concerns: isConcern ? end.details : [],
    details: [...onlyPart, ...(isConcern ? [] : end.details)],
    commits,
    ...(branch === undefined ? {} : { branch }),
    durationMs: state.activeMs,
    caught,
    surface,
    branches: [...branches],
    nextCommand: nextStep('stopped', end.reason, { blocked, open }),
    journal,
  }
}
