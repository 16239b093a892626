import type { Story, TaskList } from '../model/story.ts'
import type { Advice } from './advice.ts'
import { adviseCommands } from './advise-commands.ts'
import { adviseOrder } from './advise-order.ts'
import { adviseRepetition } from './advise-repetition.ts'
import { adviseStory } from './advise-story.ts'
import { iterationsNeeded } from './iterations-needed.ts'
import { isBlank } from './read-tasks.ts'
import { isDone } from './select-story.ts'

/** What a run of this list would begin with, as far as it changes the advice. */
export interface AdviceContext {
  readonly maxIterations: number
  readonly skipReview: boolean
  /** Whether the settings bring checks for every story. */
  readonly hasChecks: boolean
  /** Whether nothing has run yet, so that no story can have got anywhere. */
  readonly isFresh: boolean
}

/** The planner's critic: what is valid but will make a loop worse than it could be. Stories that are done are left alone. */
export function advise(list: TaskList, context: AdviceContext): Advice[] {
  const open = list.userStories.filter((story) => !isDone(story, context.skipReview))
  return [
    ...adviseHead(list),
    ...adviseChecks(list, context),
    ...adviseIterations(open, context),
    ...(context.isFresh ? list.userStories.flatMap(adviseFresh) : []),
    ...open.flatMap(adviseStory),
    ...adviseRepetition(open),
    ...adviseOrder(open),
  ]
}

const shared = new Set([
  'main',
  'master',
  'trunk',
  'develop',
  'development',
  'dev',
  'production',
  'prod',
  'release',
  'staging',
])

function adviseHead({ project, description, branchName }: TaskList): Advice[] {
  const advice: Advice[] = []
  const add = (rule: Advice['rule'], what: string, fix: string) => advice.push({ rule, story: null, what, fix })
  if (isBlank(project)) add('unwritten', 'project is empty.', 'Name the feature in a few words.')
  if (isBlank(description)) add('unwritten', 'description is empty.', 'Say in one sentence what there will be.')
  if (branchName === 'ralph/feature-name') {
    add(
      'unwritten',
      'branchName is still that of the template.',
      'Name the branch after the feature, like ralph/user-search.',
    )
  } else if (shared.has(branchName.toLowerCase())) {
    const what = `branchName is ${branchName}: every iteration would commit to a branch that people share.`
    add('branch', what, 'Give the loop a branch of its own, like ralph/user-search.')
  }
  return advice
}

function adviseChecks(list: TaskList, { hasChecks }: AdviceContext): Advice[] {
  const commands = list.verifyCommands ?? []
  const advice = adviseCommands(commands, null)
  if (commands.length > 0 || hasChecks) return advice
  const isBare = list.userStories.every((story) => (story.verifyCommands ?? []).length === 0)
  const what = isBare
    ? 'There is no check at all: a run can only end with concerns.'
    : 'Nothing is checked at the end of the run.'
  const fix = isBare
    ? "Add the project's test, lint and typecheck commands to verifyCommands."
    : 'Add the commands that must pass for the whole list to verifyCommands.'
  return [...advice, { rule: 'check', story: null, what, fix }]
}

function adviseFresh({ id, passes, reviewStatus, reviewCount, reviewFeedback }: Story): Advice[] {
  if (!passes && reviewStatus === null && reviewCount === 0 && reviewFeedback === '') return []
  const what = 'is not at its beginning, though nothing has run yet.'
  const fix = 'A new story has passes false, reviewStatus null, reviewCount 0 and reviewFeedback "".'
  return [{ rule: 'not-fresh', story: id, what, fix }]
}

function adviseIterations(open: readonly Story[], { skipReview, maxIterations }: AdviceContext): Advice[] {
  const needed = iterationsNeeded(open, skipReview)
  if (needed <= maxIterations) return []
  const what = `${open.length} open stories take at least ${needed} iterations, and a run stops after ${maxIterations}.`
  // Half as many again, for what reviews send back.
  const fix = `Start it with -n ${Math.ceil(needed * 1.5)}.`
  return [{ rule: 'iterations', story: null, what, fix }]
}
