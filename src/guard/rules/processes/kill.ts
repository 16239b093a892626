import type { Rule } from '../../rule.ts'
import type { Ran } from '../../shell/trace.ts'
import { isHelp } from '../../targets/is-help.ts'
import { hasOption, operandsOf, valuesOf } from '../../targets/operands.ts'

/** What others, or this loop itself, cannot do without. */
const needed =
  /^(?:\^|\.\*)?(?:init|systemd(?:-\S+)?|launchd|sshd|dbus(?:-daemon)?|xorg|x|wayland|gnome-shell|kwin\w*|plasmashell|windowserver|finder|dock|loginwindow|dockerd|containerd|docker|kubelet|networkmanager|cron|crond|rsyslogd|node|nodejs|claude|codex|ralph|amp|bun|sh|bash|zsh|fish|tmux|screen|login|sudo|python|python3|java|code|cursor|explorer|svchost)(?:\.exe|\$|\.\*)?$/i
const anything = /^(?:|\.|\.\*|\^|\*|\.\+)$/

export const kill: Rule = {
  name: 'kill',
  category: 'processes',
  why: 'It would end programs of other people, of the machine, or this loop itself.',
  instead:
    'End what you started yourself, by its number (`kill PID`) or by its whole command line (`pkill -f "vite --port 5173"`).',
  programs: 'kill killall5 tmux fuser taskkill pkill killall skill slay xkill',
  forbids({ name, args, inherited, input, outputs }) {
    if (isHelp(args)) return null
    if (name === 'kill') return killed(args, inherited) ?? soughtBy([...outputs, ...input.commands])
    if (name === 'killall5') return 'would end every process'
    if (name === 'tmux') return args[0] === 'kill-server' ? 'would end every session of tmux' : null
    if (name === 'fuser')
      return hasOption(args, 'k', '--kill') && operandsOf(args).some((arg) => /^\/(?:$|home|usr|var|etc)/.test(arg))
        ? 'would end whoever uses these files'
        : null
    if (name === 'taskkill')
      return valuesOf(args, '/im', '/IM').some((image) => needed.test(image) || image.includes('*'))
        ? 'would end programs of others'
        : null
    if (name !== 'pkill' && name !== 'killall' && name !== 'skill' && name !== 'slay' && name !== 'xkill') return null
    return named(name, args)
  },
}

function killed(args: readonly string[], inherited: readonly string[]): string | null {
  if (args.some((arg) => /^-[lL]$|^--(?:list|table)/.test(arg))) return null
  if (inherited.includes('PPID')) return 'would end the agent itself'
  // The first may be a signal: `kill -9 -1`; behind `--` all are processes.
  const signal = /^-(?:s|n|-signal)$/.test(args[0] ?? '') ? 2 : /^-(?!-$)/.test(args[0] ?? '') ? 1 : 0
  const processes = args.slice(signal).filter((arg) => arg !== '--')
  if (processes.some((arg) => /^-0*1$/.test(arg)) || (args.length === 1 && args[0] === '-1'))
    return 'would end every process'
  return processes.some((arg) => /^0*1$/.test(arg)) ? 'would end the first process of the machine' : null
}

function named(name: string, args: readonly string[]): string | null {
  if (args.some((arg) => /^-(?:0|l|L|-list)$/.test(arg))) return null
  if (name === 'xkill') return 'would end a window'
  if (
    valuesOf(args, '-u', '-U', '-g', '-G', '-t', '-s', '--euid', '--uid', '--user', '--terminal', '--session').length >
      0 &&
    operandsOf(args, '-u -U -g -G -t -s --euid --uid --user --signal').length === 0
  ) {
    return 'would end every process of a user'
  }
  if (hasOption(args, name === 'pkill' ? 'v' : '', '--inverse')) return 'would end every process but some'
  const patterns = operandsOf(args, '-u -U -g -G -t -s -P -F --signal --euid --uid --user --parent --pidfile')
  const found = patterns.find((pattern) => anything.test(pattern) || needed.test(pattern))
  return found === undefined ? null : `would end programs of others (${found})`
}

const seekers = new Set(['pgrep', 'pidof', 'grep', 'egrep', 'rg', 'awk'])

/** The processes that other commands look up for it. */
function soughtBy(commands: readonly Ran[]): string | null {
  for (const { name, args } of commands) {
    if (!seekers.has(name)) continue
    const [pattern = ''] = operandsOf(args, '-u -U -g -G -P -t -s -F -v')
    const plain = pattern.replaceAll(/[/[\]]/g, '')
    if (needed.test(plain) || (name === 'pgrep' && hasOption(args, 'uU')))
      return `would end programs of others (${plain})`
  }
  return null
}
