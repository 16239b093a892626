import type { Rule } from '../../rule.ts'
import { isHelp } from '../../targets/is-help.ts'
import { operandsOf } from '../../targets/operands.ts'
import { harmlessAsRoot } from './harmless-as-root.ts'

const raising = new Set(['sudo', 'doas', 'sudo-rs', 'gsudo'])
/** They run another command and do nothing themselves. */
const passing = new Set(
  'env command exec nice ionice nohup time timeout setsid stdbuf xargs builtin find parallel'.split(' '),
)
const switching = new Set(
  'su runuser newgrp login machinectl setpriv runas sudoedit visudo vipw vigr pkexec run0 gosu su-exec'.split(' '),
)

export const asRoot: Rule = {
  name: 'as-root',
  category: 'privilege-escalation',
  why: "With another user's rights a mistake can reach everything on the machine.",
  instead: 'Do it as you are; what needs more rights is for people: write down what they should run.',
  get programs() {
    return [...raising, ...switching, 'osascript', 'sg'].join(' ')
  },
  forbids(command) {
    const { name, args, through } = command
    if (switching.has(name) && !isHelp(args))
      return name === 'machinectl' && args[0] !== 'shell' ? null : `would act as another user (${name})`
    if (name === 'osascript' && args.some((arg) => arg.includes('administrator privileges')))
      return 'would act as another user (osascript)'
    // Another program has this name too.
    if (name === 'sg' && args.includes('-c')) return 'would act as another user (sg)'
    if (raising.has(name)) {
      if (args.some((arg) => /^(?:-[A-Za-z]*S|--stdin|-A|--askpass)$/.test(arg)))
        return `would give a password to ${name}`
      const words = operandsOf(args, '-u -g -h -p -C -D -R -T -U --user --group --chdir --host --prompt')
      if (isHelp(args) || args.join(' ') === '-k' || args.join(' ') === '-K') return null
      const isShell =
        args.some((arg) => /^(?:-[A-Za-z]*[ise]|--login|--shell|--edit|--list|-l)$/.test(arg)) && words.length < 2
      return isShell || words.length === 0 ? `would open a shell as another user (${name})` : null
    }
    if (!through.some((outer) => raising.has(outer)) || passing.has(name) || raising.has(name)) return null
    return harmlessAsRoot(command) ? null : `would run ${name} as another user`
  },
}
