import type { Place } from '../../place.ts'
import type { Rule } from '../../rule.ts'
import { inside } from '../../shell/inside.ts'

export const privilegedContainer: Rule = {
  name: 'privileged-container',
  category: 'container-escape',
  why: 'What runs in such a container can do everything to this machine.',
  instead: 'Run it without these rights, and mount the project only.',
  get programs() {
    return [...engines].join(' ')
  },
  forbids(command, place) {
    if (!engines.has(command.name)) return null
    const given = optionsOfRun(command.args)
    if (given === null) return null
    const [name] = given.find(([name, value]) => isPowerful(name, value)) ?? []
    if (name !== undefined) return `would start a container that is not shut in (${name})`
    const mounted = given.flatMap(mountOf).flatMap((path) => inside(command.directories, homed(path, place)))
    return mounted.some((path) => isMachine(path, place)) ? 'would give a container the files of this machine' : null
  },
}

const engines = new Set(['docker', 'podman', 'nerdctl', 'finch', 'docker-compose', 'podman-compose'])
const verbs = new Set(['run', 'create', 'exec'])
const switches = new Set(
  '--detach --init --interactive --tty --rm --privileged --read-only --no-healthcheck --oom-kill-disable --publish-all --quiet --sig-proxy --help --replace --no-deps --build --service-ports --use-aliases --quiet-pull --remove-orphans'.split(
    ' ',
  ),
)
const valuedLetters = /[acehlmpuvwf]/

type Given = readonly [name: string, value: string]

/** The options up to the image: what follows belongs to the program in it. */
function optionsOfRun(args: readonly string[]): Given[] | null {
  const at = args.findIndex((arg) => verbs.has(arg))
  if (at === -1) return null
  const given: Given[] = []
  for (let index = at + 1; index < args.length; index++) {
    const arg = args[index] ?? ''
    if (!arg.startsWith('-') || arg === '--') break
    if (arg.startsWith('--')) {
      const end = arg.indexOf('=')
      if (end !== -1) given.push([arg.slice(0, end), arg.slice(end + 1)])
      else given.push([arg, switches.has(arg) ? 'true' : (args[++index] ?? '')])
      continue
    }
    const letter = arg.slice(1).search(valuedLetters)
    if (letter === -1) continue
    const value = arg.slice(letter + 2).replace(/^=/, '')
    given.push([`-${arg[letter + 1]}`, value === '' ? (args[++index] ?? '') : value])
  }
  return given.some(([name]) => name === '--help') ? null : given
}

const capabilities =
  /^(?:cap_)?(?:all|sys_admin|sys_ptrace|sys_module|sys_rawio|sys_boot|dac_read_search|dac_override|bpf|syslog|mac_admin)$/i

function isPowerful(name: string, value: string): boolean {
  if (name === '--privileged') return value !== 'false'
  if (name === '--cap-add') return value.split(',').some((capability) => capabilities.test(capability))
  if (/^--(?:pid|userns)$/.test(name)) return value === 'host'
  if (name === '--security-opt') return /(?:unconfined|label[=:]disable|no-new-privileges[=:]false)/.test(value)
  if (name === '--device') return /^\/dev\/(?:sd|nvme|hd|vd|xvd|dm-|mapper|mem|kmem|disk|loop)/.test(value)
  return name === '--device-cgroup-rule'
}

function mountOf([name, value]: Given): string[] {
  if (name === '-v' || name === '--volume') return [value.split(':')[0] ?? '']
  if (name !== '--mount') return []
  return value.split(',').flatMap((part) => /^(?:src|source)=(.*)$/.exec(part)?.slice(1) ?? [])
}

const homed = (path: string, { home }: Place): string => path.replace(/^~(?=\/|$)/, home)

const whole = new Set(
  '/ /etc /root /boot /dev /proc /sys /var /usr /lib /bin /sbin /home /Users /System /Library /private /var/run /run /var/lib /var/lib/docker /opt /host'.split(
    ' ',
  ),
)
const keys = [
  '.ssh',
  '.aws',
  '.gnupg',
  '.kube',
  '.docker',
  '.config',
  '.azure',
  '.config/gcloud',
  '.config/gh',
  '.netrc',
  '.npmrc',
  '.claude',
  '.codex',
]

/** A name alone is a volume; a path that is everything, or a door to everything, is not for a container. */
function isMachine(path: string, { home, projects }: Place): boolean {
  const plain = path.replace(/(?<=.)\/+$/, '')
  if (projects.some((project) => plain === project || plain.startsWith(`${project}/`))) return false
  if (whole.has(plain) || plain === home || isSocket(plain)) return true
  if (/^\/(?:etc\/(?:shadow|sudoers|cron|ssh|pam)|proc\/|root\/)/.test(plain)) return true
  return keys.some((key) => plain === `${home}/${key}`)
}

const isSocket = (path: string): boolean => /\/(?:docker|containerd|podman|crio|buildkitd|dockershim)\.sock$/.test(path)
