import type { Rule } from '../../rule.ts'
import { readGitCall } from '../../targets/git-targets.ts'
import { hasOption, valuesOf } from '../../targets/operands.ts'
import { markerName } from './marker.ts'

export const ignoredFiles: Rule = {
  name: 'ignored-files',
  category: 'self-tampering',
  why: `Among the files that git ignores is ${markerName}, which marks the running loop.`,
  instead: 'Name the files that are in the way, or leave out the option that takes ignored ones.',
  programs: 'git',
  forbids({ name, args }) {
    const call = name === 'git' ? readGitCall(args) : null
    if (call?.verb === 'clean') {
      const isDry = hasOption(call.args, 'n', '--dry-run')
      const isSpared = valuesOf(call.args, '-e', '--exclude').includes(markerName)
      if (hasOption(call.args, 'xX') && !isDry && !isSpared) return 'would remove every file that git ignores'
    }
    if (call?.verb === 'stash' && ['push', 'save'].includes(call.args[0] ?? 'push')) {
      if (hasOption(call.args, 'a', '--all')) return 'would stash every file that git ignores'
    }
    if (call?.verb === 'stash' && hasOption(call.args.slice(0, 1), 'a', '--all')) {
      return 'would stash every file that git ignores'
    }
    return null
  },
}
