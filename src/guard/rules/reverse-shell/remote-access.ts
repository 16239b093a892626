import type { Rule } from '../../rule.ts'
import { isHelp } from '../../targets/is-help.ts'
import { operandsOf, valuesOf } from '../../targets/operands.ts'

/** Programs that let others in, or show to everybody what runs here. */
const always = new Set(
  (
    'tmate upterm ttyd gotty wetty sshd dropbear telnetd x11vnc vncserver tigervncserver x0vncserver xrdp teamviewer anydesk rustdesk ' +
    'chisel frpc frps ligolo ligolo-agent pagekite bore localtunnel lt inlets telebit msfconsole msfvenom meterpreter ' +
    'sliver-client evil-winrm weevely ngrok zrok devtunnel gs-netcat sshuttle iodine dnscat2 dnscat rdesktop in.telnetd'
  ).split(' '),
)

/** By program: the first words that open a way in. */
const opening: Readonly<Record<string, RegExp>> = {
  cloudflared: /^(?:tunnel|access)\b(?! (?:list|info|help))/,
  tailscale: /^(?:up|funnel|serve|ssh|login|set)\b(?! status)/,
  code: /^tunnel\b/,
  'code-server': /^.*0\.0\.0\.0/,
  zerotier: /^join\b/,
  'zerotier-cli': /^join\b/,
  systemsetup: /^-setremotelogin on/i,
  xhost: /^\+/,
  'ssh-copy-id': /./,
  vscode: /^tunnel\b/,
}

const runners = new Set(['npx', 'bunx', 'pnpx', 'uvx', 'pipx'])

export const remoteAccess: Rule = {
  name: 'remote-access',
  category: 'reverse-shell',
  why: 'It opens a way in from outside that stays open while nobody looks.',
  instead: 'Keep servers on this machine, at `localhost`.',
  get programs() {
    return [...always, ...Object.keys(opening), ...runners, 'ssh', 'autossh', 'plink'].join(' ')
  },
  forbids({ name, args }) {
    if (isHelp(args) || args.includes('help')) return null
    const program = runners.has(name) ? (operandsOf(args)[0]?.replace(/@[^@/]*$/, '') ?? '') : name
    if (always.has(program) && !/^(?:version|config|--version|-V)$/.test(args[0] ?? ''))
      return `would open a way in from outside (${program})`
    if (name === 'ssh' || name === 'autossh' || name === 'plink') return ssh(args)
    const pattern = Object.hasOwn(opening, name) ? opening[name] : undefined
    return pattern?.test(args.join(' ').slice(0, 500)) === true ? `would open a way in from outside (${name})` : null
  },
}

function ssh(args: readonly string[]): string | null {
  // Options end at the host; what is behind it runs there.
  const host = args.findIndex(
    (arg, index) => !arg.startsWith('-') && !/^-[A-Za-z]*[BbcDEeFIiJLlmOopQRSWw]$/.test(args[index - 1] ?? ''),
  )
  const options = host === -1 ? args : args.slice(0, host)
  if (options.some((arg) => /^-[46AaCfGgKkMNnqsTtVvXxYy]*[RDw]/.test(arg)))
    return 'would open a tunnel for another machine'
  const set = valuesOf(options, '-o')
  const runs = set.some(
    (value) =>
      /^(?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ](?!none)/i.test(value) &&
      !/\bssh\b|-W %h|nc (?:-\w+ )*%h/.test(value),
  )
  if (runs) return 'would run something else in the name of ssh'
  return set.some((value) => /^(?:RemoteForward|DynamicForward)[= ]/i.test(value))
    ? 'would open a tunnel for another machine'
    : null
}
