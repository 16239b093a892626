import type { Rule } from '../../rule.ts'
import type { Ran } from '../../shell/trace.ts'

export const hostNamespace: Rule = {
  name: 'host-namespace',
  category: 'container-escape',
  why: 'It leaves the box that the work is shut in.',
  instead: 'Stay inside; what is needed from outside is for people to bring.',
  isUnread: true,
  guarded: () => ['/proc/1/root', '/proc/1/cwd', '/proc/1/ns'].map((path) => ({ path })),
  programs: 'nsenter chroot curl socat nc ncat python python3 wget kubectl oc lxc incus ctr',
  forbids(command) {
    const { name, args } = command
    if (args.some((arg) => arg === '--help' || arg === '--version' || arg === '-V')) return null
    if (name === 'nsenter') return 'would enter the namespaces of another process'
    if (name === 'chroot' && args.some((arg) => /^\/(?:host|hostfs|rootfs|proc\/1\/root|mnt)(?:\/|$)/.test(arg)))
      return 'would leave for the root of the machine'
    if (isSocketClient(command)) return 'would talk to the container engine of this machine'
    if (isClusterEscape(command)) return 'would start a pod that is not shut in'
    if (
      (name === 'lxc' || name === 'incus') &&
      args.some((arg) => /security\.(?:privileged|nesting)=true|source=\/$/.test(arg))
    )
      return 'would start a container that is not shut in'
    return name === 'ctr' && args.includes('--privileged') ? 'would start a container that is not shut in' : null
  },
}

const socket = /(?:docker|containerd|podman|crio)\.sock/

function isSocketClient({ name, args }: Ran): boolean {
  if (!/^(?:curl|socat|nc|ncat|python3?|wget)$/.test(name)) return false
  return args.some(
    (arg) => socket.test(arg) && (arg.startsWith('/') || /unix|--unix-socket/i.test(arg) || name === 'curl'),
  )
}

function isClusterEscape({ name, args }: Ran): boolean {
  if (name !== 'kubectl' && name !== 'oc') return false
  if (args.includes('debug') && args.some((arg) => arg.startsWith('node/'))) return true
  if (!args.includes('run') && !args.includes('create') && !args.includes('debug')) return false
  return args.some(
    (arg) =>
      arg === '--privileged' ||
      arg === '--privileged=true' ||
      /"(?:hostPID|hostNetwork|hostIPC|privileged)"\s*:\s*true|"hostPath"/.test(arg),
  )
}
