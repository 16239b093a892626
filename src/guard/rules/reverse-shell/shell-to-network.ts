import { hostOf, isNear } from '../../hosts.ts'
import type { Rule } from '../../rule.ts'
import type { Ran } from '../../shell/trace.ts'
import { netcats } from './netcat.ts'

const shells = new Set('sh bash dash zsh ksh ash fish csh tcsh busybox'.split(' '))
const interpreters =
  /^(?:python[\d.]*|perl[\d.]*|ruby[\d.]*|php[\d.]*|node|nodejs|deno|bun|lua[\d.]*|luajit|tclsh|expect|pwsh|powershell|gawk|awk|mawk)$/

const device = /^\/dev\/(?:tcp|udp)\/([^/]+)/

export const shellToNetwork: Rule = {
  name: 'shell-to-network',
  category: 'reverse-shell',
  why: 'It lets somebody else run commands here, or read what is here.',
  instead: 'To see whether a port is open use `nc -z HOST PORT`; to fetch something use `curl`.',
  forbids(command) {
    const { name, writes, input } = command
    for (const path of [...writes, ...input.files]) {
      const [, host] = device.exec(path) ?? []
      if (host === undefined) continue
      if (shells.has(name)) return 'would give a shell to another machine'
      if (!isNear(hostOf(host))) return `would open a connection to ${host}`
    }
    if (name === 'xterm' && command.args.some((arg) => /^[^-:/]+:\d/.test(arg)))
      return 'would show a shell to another machine'
    if (shells.has(name) && input.commands.some(isWire)) return 'would run what another machine sends'
    if (isWire(command) && input.commands.some((before) => shells.has(before.name) && !isScript(before))) {
      return 'would give a shell to another machine'
    }
    return interpreters.test(name) && isBackdoor(scriptOf(command)) ? 'would give a shell to another machine' : null
  },
}

/** It connects its input and output to another machine. */
const isWire = ({ name, args }: Ran): boolean =>
  netcats.has(name) || name === 'telnet' || name === 'socat' || (name === 'openssl' && args[0] === 's_client')

/** Runs a text or a file of its own, and not what comes in. */
const isScript = ({ args }: Ran): boolean =>
  args.some((arg) => arg === '-c' || (!arg.startsWith('-') && arg !== '/dev/stdin'))

const scriptOf = ({ args, input }: Ran): string => [...args, ...input.texts].join('\n').slice(0, 200_000)

const connecting =
  /socket|\/inet\/(?:tcp|udp)|\/dev\/tcp|TCPSocket|TCPClient|fsockopen|net\.connect|net\.Socket|createConnection|pty\.spawn/
const handing =
  /dup2|pty\.spawn|\/bin\/(?:ba|z|k|da|a)?sh\b|cmd\.exe|spawn\(\s*['"](?:ba|z)?sh|exec\(?\s*['"](?:ba|z)?sh|STDIN|popen|subprocess\.(?:call|run|Popen)|shell_exec|proc_open|child_process|iex\b|getline/
const connects = /connect|TCPSocket|TCPClient|fsockopen|\/inet\/|createConnection|net\.Socket/

/** Only somebody who sits elsewhere needs one. */
const terminal = /pty\.spawn\(\s*\[?['"](?:\/bin\/)?(?:ba|z|da)?sh\b/

/** Connects to somewhere, and hands over what runs commands. */
const isBackdoor = (text: string): boolean =>
  terminal.test(text) || (connecting.test(text) && handing.test(text) && connects.test(text))
