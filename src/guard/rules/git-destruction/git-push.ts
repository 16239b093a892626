import type { Rule } from '../../rule.ts'
import { gitCallOf, readGitOptions } from './git-call.ts'

export const gitPush: Rule = {
  name: 'git-push',
  category: 'git-destruction',
  why: 'It takes away from the remote what others may have built upon.',
  instead: 'Push without it; where your own branch was rebased, `--force-with-lease` is enough.',
  programs: 'git hub git-*',
  forbids(command) {
    const call = gitCallOf(command)
    if (call?.verb !== 'push' && call?.verb !== 'send-pack') return null
    const options = readGitOptions(call.args, '-o --push-option --receive-pack --exec --repo', long)
    if (options === null || options.has('-n', '--dry-run')) return null
    if (options.has('-f', '--force')) return 'would push by force'
    if (options.has('--mirror', '--prune')) return 'would remove branches of the remote that are not here'
    if (options.has('-d', '--delete') || options.operands.some((spec) => /^\+?:./.test(spec)))
      return 'would remove a branch or tag of the remote'
    return options.operands.some((spec) => spec.startsWith('+') || spec.includes(':+')) ? 'would push by force' : null
  },
}

const long =
  'all branches mirror tags follow-tags atomic dry-run receive-pack repo force force-with-lease force-if-includes delete prune verbose set-upstream push-option quiet verify progress thin signed recurse-submodules porcelain ipv4 ipv6'
