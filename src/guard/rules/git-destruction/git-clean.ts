import type { Rule } from '../../rule.ts'
import { gitCallOf, readGitOptions } from './git-call.ts'

export const gitClean: Rule = {
  name: 'git-clean',
  category: 'git-destruction',
  why: 'Files that git does not track have no copy anywhere.',
  instead: 'Look with `git clean -n`, then remove by name the files that you made yourself.',
  programs: 'git hub git-*',
  forbids(command) {
    const call = gitCallOf(command)
    if (call?.verb !== 'clean') return null
    const options = readGitOptions(call.args, '-e --exclude', 'force dry-run interactive quiet exclude')
    if (options === null || options.has('-n', '--dry-run')) return null
    const isFree = call.settings.some((setting) => /^clean\.requireforce=(?:false|no|off|0)?$/i.test(setting))
    return isFree || options.has('-f', '--force', '-i', '--interactive')
      ? 'would remove files that git does not track'
      : null
  },
}
