import type { Rule } from '../../rule.ts'

export const runnerState: Rule = {
  name: 'runner-state',
  category: 'self-tampering',
  why: 'It is what the runner remembers of this loop.',
  instead: 'Leave it alone; files of your own belong into the project or a temporary directory.',
  guarded: ({ state }) => state.map((path) => ({ path })),
}
