import type { Rule } from '../../rule.ts'
import { gitCallOf, readGitOptions } from './git-call.ts'

export const gitRefs: Rule = {
  name: 'git-refs',
  category: 'git-destruction',
  why: 'Commits that no branch or tag leads to are lost sooner or later.',
  instead: 'Leave it where it is; a branch that is merged goes with `git branch -d`.',
  programs: 'git hub git-*',
  forbids(command) {
    const call = gitCallOf(command)
    const refs = call === null ? undefined : verbs.get(call.verb)?.(call.args)
    return refs === undefined || refs === null ? null : `would remove ${refs}`
  },
}

type Verb = (args: readonly string[]) => string | null

const verbs: ReadonlyMap<string, Verb> = new Map<string, Verb>([
  [
    'branch',
    (args) => {
      const options = readGitOptions(args, '-u --set-upstream-to --sort --format', 'delete force')
      if (options === null) return null
      const isForced = options.has('-f', '--force') && options.has('-d', '--delete')
      return options.has('-D') || isForced ? 'a branch that may not be merged' : null
    },
  ],
  [
    'tag',
    (args) => {
      // Nothing remembers where a tag was.
      const valued = '-m -F -u --message --file --local-user --sort --format'
      return readGitOptions(args, valued, 'delete list force')?.has('-d', '--delete', '-f', '--force') ? 'a tag' : null
    },
  ],
  ['symbolic-ref', (args) => (readGitOptions(args, '-m', 'delete')?.has('-d', '--delete') ? 'a reference' : null)],
  ['replace', (args) => (readGitOptions(args, '--format', 'delete')?.has('-d', '--delete') ? 'a reference' : null)],
  ['lfs', (args) => (args[0] === 'prune' && !args.includes('--dry-run') ? 'files that git keeps elsewhere' : null)],
  ['update-ref', (args) => (readGitOptions(args, '-m', '')?.has('-d', '--delete') ? 'a reference' : null)],
])
