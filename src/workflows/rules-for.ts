import type { IterationMode, TaskList } from '../model/story.ts'
import type { AgentOutcome } from '../model/event.ts'
import { allCommands, protectedBy } from '../tasks/protected-files.ts'
import { protectionIn } from '../tasks/protection.ts'
import type { Rules } from '../tasks/rules.ts'
import type { StoriesMemory } from './stories-memory.ts'
import type { StoriesPorts } from './stories-ports.ts'

/** Every command that decides something, the user's own among them. */
export function commandsOf(list: TaskList, { checks }: StoriesPorts['options']): string[] {
  return [...new Set([...allCommands(list), ...checks.map(({ command }) => command)])]
}

/** The rules of one iteration. Scripts are protected as they are in its snapshot; files if they were tracked at the start. */
export function rulesFor(
  ports: StoriesPorts,
  memory: StoriesMemory,
  of: { readonly story: string | null; readonly mode: IterationMode | null; readonly outcome: AgentOutcome | null },
): Rules {
  const { options } = ports
  const { list, packageJson } = memory.before
  const withUserPaths = { ...list, protectedPaths: [...(list.protectedPaths ?? []), ...options.protectedPaths] }
  return {
    skipReview: options.skipReview,
    reviewCap: options.reviewCap,
    story: of.story,
    // A program that only prints may have worked in silence; others would have shown it.
    agentSucceeded: of.outcome === 'succeeded' || (of.outcome === 'empty' && !ports.showsWork(of.mode ?? 'implement')),
    ralphDir: options.ralphDir,
    ...protectionIn(withUserPaths, of.story, protectedBy(commandsOf(list, options), memory.tracked, packageJson)),
  }
}
