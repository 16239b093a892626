import { visibleLine } from '../../../base/visible.ts'
import type { Rule } from '../../rule.ts'
import { readGitCall } from '../../targets/git-targets.ts'
import { hasOption, operandsOf } from '../../targets/operands.ts'

/** Keys that run a program, or make git look elsewhere, wherever they are set. */
const running =
  /^(?:core\.(?:hookspath|fsmonitor|sshcommand|worktree|attributesfile|gitproxy|alternaterefscommand)|include(?:if\..*)?\.path|filter\..*|merge\..*\.driver|diff\..*\.(?:command|textconv)|diff\.external|gpg\..*program|credential\..*helper|remote\..*\.(?:uploadpack|receivepack|vcs)|hook\..*)$/

export const gitConfiguration: Rule = {
  name: 'git-configuration',
  category: 'self-tampering',
  why: 'Such a setting makes git run something else, or look elsewhere, at every later command.',
  instead: 'Leave it as it is; for one command `git -c NAME=VALUE …` is enough.',
  programs: 'git',
  forbids({ name, args }) {
    const call = name === 'git' ? readGitCall(args) : null
    if (call?.verb !== 'config' || isReading(call.args)) return null
    if (hasOption(call.args, 'e', '--edit')) return "would open git's configuration in an editor"
    const [first = '', ...rest] = operandsOf(call.args, '-f --file --type --default --comment --value --blob')
    const isVerb = verbs.has(first)
    const key = (isVerb ? (rest[0] ?? '') : first).toLowerCase()
    const isWrite = isVerb ? !first.startsWith('get') : rest.length > 0 || isChange(call.args)
    return isWrite && running.test(key) ? `would set git's ${visibleLine(key)}` : null
  },
}

const verbs = new Set(['get', 'get-all', 'set', 'unset'])

const isReading = (args: readonly string[]): boolean =>
  hasOption(args, 'l', '--get', '--get-all', '--get-regexp', '--get-urlmatch', '--list')

const isChange = (args: readonly string[]): boolean =>
  hasOption(args, '', '--unset', '--unset-all', '--add', '--replace-all')
