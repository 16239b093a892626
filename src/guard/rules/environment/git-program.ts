import type { Rule } from '../../rule.ts'
import type { Ran } from '../../shell/trace.ts'
import { gitCallOf, type GitCall } from '../git-destruction/git-call.ts'
import { assignmentsOf } from './assignments.ts'

export const gitProgram: Rule = {
  name: 'git-program',
  category: 'environment',
  why: 'It makes git run a program that the command does not name.',
  instead: 'Run the program itself, so that it can be seen what it is.',
  programs: 'git hub git-*',
  forbids(command) {
    const call = gitCallOf(command)
    if (call === null) return null
    return byVariable(command, call) ?? bySetting(call) ?? byOption(call)
  },
}

const network = new Set([
  'fetch',
  'pull',
  'push',
  'clone',
  'ls-remote',
  'fetch-pack',
  'send-pack',
  'archive',
  'lfs',
  'submodule',
])

function isNetwork({ verb, args }: GitCall): boolean {
  if (verb === 'remote')
    return args.some((arg) => ['update', 'show', 'prune', 'set-head', '-f', '--fetch'].includes(arg))
  return network.has(verb)
}

/** What people have as their editor, pager or way to a server; with whatever options. */
const harmless =
  /^(?:\S*\/)?(?:cat|less|more|most|bat|delta|diff-so-fancy|head|tail|true|false|:|echo|vi|vim|nvim|nano|emacs|emacsclient|code|sed|touch|ssh|plink|tsocks|corkscrew|cp|store|cache|osxkeychain|manager|manager-core|gh|libsecret|difft|difftastic|meld|vimdiff|opendiff|gpg2?|ssh-keygen|perl|grep|tr)(?:\s|$)/

/** What a shell would do besides. */
const isPlain = (value: string): boolean =>
  value === '' || (harmless.test(value) && !/[;&|`<>]|\$\(|ProxyCommand|LocalCommand/i.test(value))

function byVariable(command: Ran, call: GitCall): string | null {
  for (const [name, value] of assignmentsOf(command)) {
    const isUsed = always.has(name) || (onNetwork.has(name) && isNetwork(call))
    if (isUsed && !isPlain(value)) return `would make git run a program by ${name}`
  }
  return null
}

const always = new Set(['GIT_EXTERNAL_DIFF', 'GIT_EXEC_PATH', 'GIT_TEMPLATE_DIR'])
const onNetwork = new Set(['GIT_SSH_COMMAND', 'GIT_SSH', 'GIT_PROXY_COMMAND', 'GIT_ASKPASS'])

const running =
  /^(?:core\.(?:sshcommand|pager|editor|askpass|gitproxy|fsmonitor|alternaterefscommand)|pager\..*|sequence\.editor|diff\.external|diff\..*\.(?:command|textconv)|(?:diff|merge)tool\..*\.(?:cmd|path)|merge\..*\.driver|filter\..*\.(?:clean|smudge|process)|gpg\.(?:.*\.)?program|credential\.(?:.*\.)?helper|remote\..*\.(?:uploadpack|receivepack|vcs)|uploadpack\.packobjectshook|interactive\.difffilter|browser\..*\.cmd|man\..*\.cmd|sendemail\..*cmd|ssh\.variant|protocol\.ext\.allow|alias\..*)$/

function bySetting({ settings }: GitCall): string | null {
  for (const setting of settings) {
    const end = setting.indexOf('=')
    const key = (end === -1 ? setting : setting.slice(0, end)).toLowerCase()
    const value = end === -1 ? '' : setting.slice(end + 1)
    if (key.startsWith('alias.')) {
      if (value.startsWith('!')) return 'would make git run a program by an alias'
    } else if (running.test(key) && !isPlain(value) && !/^(?:true|false|never|always)$/.test(value))
      return `would make git run a program by ${key}`
  }
  return null
}

/** Addresses and options that name a program. */
function byOption({ verb, args }: GitCall): string | null {
  if (
    args.some((arg) => /^(?:--upload-pack|--receive-pack|--exec)(?:=|$)/.test(arg)) &&
    verb !== 'rebase' &&
    verb !== 'push'
  )
    return 'would make git run a program by an option'
  if (args.some((arg) => /^(?:ext|fd)::/.test(arg))) return 'would make git run a program by an address'
  return verb === 'grep' &&
    args.some(
      (arg) => /^(?:-O.|--open-files-in-pager=)/.test(arg) && !isPlain(arg.replace(/^-O|^--open-files-in-pager=/, '')),
    )
    ? 'would make git run a program by an option'
    : null
}
