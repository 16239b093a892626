import type { Rule } from '../../rule.ts'
import { gitCallOf, readGitOptions } from './git-call.ts'

export const gitStash: Rule = {
  name: 'git-stash',
  category: 'git-destruction',
  why: 'What was stashed is nowhere else.',
  instead: 'Leave it where it is, or take it with `git stash pop`.',
  programs: 'git hub git-*',
  forbids(command) {
    const call = gitCallOf(command)
    const [verb] = (call?.verb === 'stash' ? readGitOptions(call.args, '', '') : null)?.operands ?? []
    if (verb === 'clear') return 'would remove everything that was stashed'
    return verb === 'drop' ? 'would remove what was stashed' : null
  },
}
