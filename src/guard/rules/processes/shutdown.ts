import type { Rule } from '../../rule.ts'
import { isHelp } from '../../targets/is-help.ts'
import { says, type Sayings } from '../../targets/says.ts'

const always = new Set([
  'shutdown',
  'reboot',
  'halt',
  'poweroff',
  'telinit',
  'rtcwake',
  'pm-suspend',
  'pm-hibernate',
  'runlevel0',
])

const told: Sayings = {
  init: /^[0-6sS]$/,
  systemctl:
    /^(?:-\S+ )*(?:poweroff|reboot|halt|kexec|suspend|hibernate|hybrid-sleep|suspend-then-hibernate|rescue|emergency|default|isolate|exit|soft-reboot)\b/,
  loginctl: /^(?:-\S+ )*(?:poweroff|reboot|suspend|terminate-\S+|kill-\S+|lock-\S+)\b/,
  pmset: /sleepnow/,
  osascript: /\b(?:shut down|restart|log out|sleep)\b/i,
  qdbus: /shutdown|logout/i,
  'gnome-session-quit': /^/,
  busybox: /^(?:reboot|poweroff|halt)\b/,
  wmic: /shutdown|reboot/i,
  'dbus-send': /(?:PowerOff|Reboot|Suspend|Hibernate)/,
  acpi: /^-?sleep/,
  'stop-computer': /^/,
  'restart-computer': /^/,
}

export const shutdown: Rule = {
  name: 'shutdown',
  category: 'processes',
  why: 'It ends everything that runs on the machine, this loop too.',
  instead: 'Restart only the program that you work on.',
  get programs() {
    return [...always, ...Object.keys(told)].join(' ')
  },
  forbids(command) {
    const { name, args } = command
    const isAsking =
      isHelp(args.filter((arg) => arg !== '-h')) || args.includes('-c') || args.includes('--show') || args[0] === '-k'
    if (always.has(name) && !isAsking) return `would shut the machine down (${name})`
    return says(told, command) ? `would shut the machine down (${name})` : null
  },
}
