import type { TaskList } from '../model/story.ts'

/** Whether this is still the template: nobody has written a story yet. */
export function isUntouched(list: { readonly userStories: readonly unknown[] }): boolean {
  return list.userStories.every((item) => (item as { title?: unknown } | null)?.title === '')
}

/** What is valid but will make a loop worse than it could be, one sentence each. */
export function advise(list: TaskList): string[] {
  const advice: string[] = []
  const unchecked = list.userStories.filter((story) => (story.verifyCommands ?? []).length === 0)
  if ((list.verifyCommands ?? []).length === 0) {
    advice.push(
      unchecked.length === list.userStories.length
        ? 'There is no check at all: a run can only end with concerns. Add commands to verifyCommands.'
        : 'Nothing is checked at the end: add commands that must pass for the whole list to verifyCommands.',
    )
  }
  return advice
}
