import type { Story, TaskList } from '../model/story.ts'
import { withParts } from '../tasks/select-story.ts'
import { commandsOf } from './rules-for.ts'
import type { StoriesPorts } from './stories-ports.ts'

/** What a completion is verified with. */
export interface FinalChecks {
  readonly commands: readonly string[]
  /** Whether one of them was there before the first agent was. */
  readonly isOfPeople: boolean
}

/**
 * All there are; with `--story` those of that story and its parts, and those of the list unless it had some of its own. `start`
 * is the list that the run began with: what authors have added since counts, and replaces nothing.
 */
export function finalChecks(list: TaskList, start: TaskList, options: StoriesPorts['options']): FinalChecks {
  const commands = commandsFor(list, start, options)
  const known = new Set(commandsOf(start, options))
  return { commands, isOfPeople: commands.some((command) => known.has(command)) }
}

function commandsFor(list: TaskList, start: TaskList, options: StoriesPorts['options']): string[] {
  const { story: only, checks } = options
  if (only === null) return commandsOf(list, options)
  const hadOwn = start.userStories.some((story) => story.id === only && ownOf(story).length > 0)
  const ofTheList = hadOwn ? [] : (list.verifyCommands ?? [])
  const own = withParts(list.userStories, only).flatMap(ownOf)
  return [...new Set([...ofTheList, ...own, ...checks.map(({ command }) => command)])]
}

const ownOf = ({ verifyCommands = [] }: Story): readonly string[] => verifyCommands
