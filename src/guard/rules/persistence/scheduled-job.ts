import { isHarmless } from '../../verbs.ts'
import type { Rule } from '../../rule.ts'
import type { Ran } from '../../shell/trace.ts'

export const scheduledJob: Rule = {
  name: 'scheduled-job',
  category: 'persistence',
  why: 'It starts again by itself when this work is long over.',
  instead: 'Run what you need now, in the foreground or with `&`; a job for later is for people to set up.',
  get programs() {
    return [...programs.keys()].join(' ')
  },
  forbids(command) {
    const program = programs.get(command.name)
    if (program === undefined || isHarmless(command.args)) return null
    return program(command) ? `would make something start by itself (${command.name})` : null
  },
  guarded: ({ home }) =>
    [
      '/etc/crontab',
      '/etc/anacrontab',
      ...['d', 'daily', 'hourly', 'weekly', 'monthly'].map((when) => `/etc/cron.${when}`),
      '/var/spool/cron',
      '/var/spool/at',
      '/etc/systemd',
      '/usr/lib/systemd',
      '/lib/systemd',
      '/run/systemd/system',
      '/etc/init.d',
      '/etc/rc.local',
      '/etc/xdg/autostart',
      '/etc/update-motd.d',
      '/etc/udev/rules.d',
      '/Library/LaunchAgents',
      '/Library/LaunchDaemons',
      '/Library/StartupItems',
      ...['.config/systemd/user', '.local/share/systemd/user', '.config/autostart', '.config/environment.d'].map(
        (name) => `${home}/${name}`,
      ),
      ...['Library/LaunchAgents', '.xinitrc', '.xsession', '.xprofile', '.config/fish/conf.d'].map(
        (name) => `${home}/${name}`,
      ),
    ].map((path) => ({ path })),
}

const has = (args: readonly string[], words: string): boolean => args.some((arg) => words.split(' ').includes(arg))
const words = (args: readonly string[]): string[] => args.filter((arg) => !arg.startsWith('-'))

const programs: ReadonlyMap<string, (command: Ran) => boolean> = new Map<string, (command: Ran) => boolean>([
  // Only to list is harmless, also for somebody else.
  ['crontab', ({ args }) => !has(args, '-l -V') && !args.some((arg) => /^-[a-z]*l/.test(arg))],
  ['at', ({ args }) => !has(args, '-l -V -c')],
  ['batch', () => true],
  ['atrm', () => true],
  [
    'systemctl',
    ({ args }) =>
      has(
        words(args).slice(0, 1),
        'enable reenable link edit preset preset-all add-wants add-requires set-default import-environment set-environment',
      ),
  ],
  ['systemd-run', ({ args }) => args.some((arg) => /^--(?:on-|timer-property|unit|user)/.test(arg))],
  [
    'launchctl',
    ({ args }) => has(args.slice(0, 1), 'load bootstrap submit enable kickstart setenv start asuser config'),
  ],
  ['loginctl', ({ args }) => has(args, 'enable-linger')],
  ['update-rc.d', () => true],
  ['chkconfig', ({ args }) => has(args, 'on --add')],
  ['rc-update', ({ args }) => has(args, 'add -a')],
  ['pm2', ({ args }) => has(args, 'startup')],
  ['schtasks', ({ args }) => args.some((arg) => /^\/create$/i.test(arg))],
  ['osascript', ({ args }) => args.some((arg) => /login item/i.test(arg))],
  [
    'defaults',
    ({ args }) =>
      args[0] === 'write' &&
      args.some((arg) => /^(?:LoginHook|LogoutHook|AutoLaunchedApplicationDictionary)$/.test(arg)),
  ],
  ['ssh-copy-id', () => true],
])
