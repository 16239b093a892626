import type { Rule } from '../../rule.ts'
import { gitCallOf, readGitOptions, type GitCall } from './git-call.ts'

export const gitHistory: Rule = {
  name: 'git-history',
  category: 'git-destruction',
  why: 'The history is what everything can be brought back from.',
  instead: 'Leave the history as it is, and add commits to it.',
  programs: 'bfg git hub git-*',
  forbids(command) {
    if (command.name === 'bfg') return 'would rewrite the history'
    const call = gitCallOf(command)
    return call === null ? null : what(call)
  },
}

function what({ verb, args }: GitCall): string | null {
  const options = readGitOptions(args, '--expire --expire-unreachable', 'dry-run prune aggressive')
  if (options === null || options.has('-n', '--dry-run')) return null
  const [first] = options.operands
  switch (verb) {
    case 'filter-branch':
      return 'would rewrite the history'
    case 'filter-repo':
      return options.has('--analyze') ? null : 'would rewrite the history'
    case 'reflog':
      return first === 'expire' || first === 'delete' ? 'would forget where branches were' : null
    case 'prune':
      return options.has('--expire') && !options.values('--expire').some(isNow)
        ? null
        : 'would remove commits that nothing leads to'
    case 'gc':
      return options.values('--prune').some(isNow) ? 'would remove commits that nothing leads to' : null
    default:
      return null
  }
}

const isNow = (age: string): boolean => /^(?:now|all|0)/.test(age)
