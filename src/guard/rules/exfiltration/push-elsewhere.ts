import { hostOf, isThisMachine } from '../../hosts.ts'
import type { Rule } from '../../rule.ts'
import { shownPath } from '../../shown-path.ts'
import { readGitCall } from '../../targets/git-targets.ts'
import { hasOption, operandsOf } from '../../targets/operands.ts'

const address = /^(?:(?:https?|ssh|git|ftps?|rsync):\/\/|[^/:\s]+@[^/:\s]+:)/
const withKey = /^https?:\/\/[^/@\s]*[^/@\s:]@/

export const pushElsewhere: Rule = {
  name: 'push-elsewhere',
  category: 'exfiltration',
  why: 'A repository that is pushed to a new place is out of the hands of whoever owns it.',
  instead: 'Push to a remote that the repository has already, by its name.',
  programs: 'gh glab git',
  forbids({ name, args }) {
    if (name === 'gh' || name === 'glab') {
      const words = operandsOf(args, '-R --repo -d --desc -f --filename')
      const isList = hasOption(args, '', '--help')
      if ((words[0] === 'gist' && words[1] === 'create') || (words[0] === 'snippet' && words[1] === 'create'))
        return isList ? null : 'would publish files as a gist'
      return words[0] === 'repo' && words[1] === 'create' && args.some((arg) => arg === '--push' || arg === '--public')
        ? 'would publish the repository'
        : null
    }
    if (name !== 'git') return null
    const { verb, args: rest } = readGitCall(args)
    if (hasOption(rest, 'n', '--dry-run')) return null
    if (verb === 'push') {
      const [to = ''] = operandsOf(rest, '-o --push-option --receive-pack --exec --repo')
      return address.test(to) && !isThisMachine(hostOf(to.replace(/:(?!\/\/)[^/]*$/, '')))
        ? `would push to ${shownPath(to.replace(/\/\/[^@/]*@/, '//'))}`
        : null
    }
    if (verb === 'remote' && (rest[0] === 'set-url' || rest[0] === 'add')) {
      return rest.some((arg) => withKey.test(arg) && !/^https?:\/\/git@/.test(arg))
        ? 'would write a key into the configuration of git'
        : null
    }
    return verb === 'send-email' ? 'would send patches by mail' : null
  },
}
