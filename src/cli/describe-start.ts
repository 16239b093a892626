import { visibleLine } from '../base/visible.ts'
import type { Story, TaskList } from '../model/story.ts'
import { iterationsNeeded } from '../tasks/iterations-needed.ts'
import { isDone, withParts } from '../tasks/select-story.ts'
import type { Preparation } from './run-stories.ts'

/** Who works, in what, on which branch, and whether the iterations will probably do. */
export function describeStart(
  { settings, tools }: Preparation,
  { list, branch, used }: { readonly list: TaskList; readonly branch: string; readonly used: number },
): string[] {
  const { options } = settings
  const { agents } = tools
  const who = [
    ...new Set([agents.implement, agents.review].map(({ agent, choice }) => nameOf(agent.name, choice.model))),
  ]
  const names = who.length === 1 ? who[0] : `${who[0]}, reviewed by ${who[1]}`
  const stories = list.userStories
  const lines = [...settings.remarks, ...directWords(tools)]
  if (stories.length === 0) return [...lines, `Agent: ${names}.`]
  const isOpen = (story: Story) => !isDone(story, options.skipReview)
  const wanted = options.story === null ? stories : withParts(stories, options.story)
  const needed = iterationsNeeded(wanted, options.skipReview)
  const done = stories.filter((story) => !isOpen(story)).length
  const which = options.story === null ? '' : `, of which only ${options.story} is wanted`
  return [
    ...lines,
    `Agent: ${names}. Branch: ${visibleLine(branch)}. Stories: ${stories.length}, ${done} done${which}. ` +
      iterationWords(needed, { used, max: options.maxIterations }),
  ]
}

/** What the agents have around them where there is no box. */
function directWords({ agents, isolation }: Preparation['tools']): string[] {
  if (isolation.boxed) return []
  const all = [...new Set(Object.values(agents).map(({ agent }) => agent))]
  return all.flatMap(({ name, directly }) => {
    if (directly === 'sandbox') return [`${name} keeps its commands in a sandbox of its own.`]
    return directly === null ? [`Nothing keeps ${name} from doing anything on this machine.`] : []
  })
}

/** What is probably needed, against what there is. */
function iterationWords(needed: number, { used, max }: { readonly used: number; readonly max: number }): string {
  if (needed === 0) return 'Only the checks are left.'
  const figures =
    used === 0
      ? `at least ${needed} of at most ${max}`
      : `at least ${needed} more, ${Math.max(0, max - used)} of ${max} left`
  return `Iterations: ${figures}${needed > max - used ? `; too few: give -n ${used + needed} or more` : ''}.`
}

const nameOf = (name: string, model: string | null): string => (model === null ? name : `${name} (${model})`)
