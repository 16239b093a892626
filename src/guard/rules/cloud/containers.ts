import { grammar, readOptions, type Options } from '../../options.ts'
import type { Rule } from '../../rule.ts'
import { unknown } from '../../shell/pattern.ts'
import type { Ran } from '../../shell/trace.ts'

export const containers: Rule = {
  name: 'containers',
  category: 'cloud',
  why: 'Volumes are data that nothing can bring back, and what runs on this machine may belong to others.',
  instead: 'Stop and remove single containers by their name, and leave volumes alone.',
  get programs() {
    return [...engines, 'docker-compose', 'podman-compose'].join(' ')
  },
  forbids(command) {
    const { name, args } = command
    if (/^(?:docker|podman)-compose$/.test(name)) return compose(args)
    if (!engines.has(name)) return null
    const options = readOptions(args, valued)
    if (options.has('--help')) return null
    const [first = '', second = ''] = options.operands
    if (first === 'compose') return compose(args.slice(args.indexOf(first) + 1))
    if (denied.has(`${first} ${second}`))
      return `would remove what containers have stored or left behind (${first} ${second})`
    if (first === 'image' && second === 'prune' && options.has('-a', '--all'))
      return 'would remove every image that is not in use'
    const verb = first === 'container' || first === 'image' ? second : first
    if (ending.has(verb) && isEveryContainer(command, options)) return `would ${verb} all that there is on this machine`
    return first === 'swarm' && second === 'leave' && options.has('-f', '--force')
      ? 'would take this machine out of its swarm'
      : null
  },
  forbidsTogether: (commands) => (endsAll(commands) ? 'would end all that runs in containers on this machine' : null),
}

/** `for c in $(docker ps -aq); do docker rm -f $c; done`; what the script has started itself is its own. */
function endsAll(commands: readonly Ran[]): boolean {
  const calls = commands.filter(({ name }) => engines.has(name))
  if (calls.some(({ args }) => args.includes('run') || args.includes('create'))) return false
  const isEnding = ({ args }: Ran): boolean =>
    args.some((arg) => ending.has(arg)) && args.some((arg) => arg === unknown)
  const quiet = calls.filter(({ args }) => args.some((arg) => arg === '--quiet' || /^-[a-z]*q/.test(arg)))
  return listsAll(quiet) && calls.some(isEnding)
}

const engines = new Set(['docker', 'podman', 'nerdctl', 'finch'])

const valued = grammar('-H --host -c --context --config -l --log-level --filter --format -t --time --timeout')

const denied = new Set(
  'system prune,system reset,volume rm,volume remove,volume prune,network prune,container prune,stack rm,stack down,service rm,secret rm,config rm,node rm,pod prune,machine rm,machine reset,plugin rm,context rm'.split(
    ',',
  ),
)

const ending = new Set(['rm', 'remove', 'stop', 'kill', 'restart', 'pause', 'rmi'])

const composeValued = grammar(
  '-f --file -p --project-name --profile --env-file --project-directory --ansi --parallel -t --timeout',
)

function compose(args: readonly string[]): string | null {
  const options = readOptions(args, composeValued)
  const [verb] = options.operands
  if (options.has('--help', '--dry-run')) return null
  return verb === 'down' && options.has('-v', '--volumes') ? 'would remove the volumes of the project' : null
}

/** All that `docker ps` says, unless it was asked for some. */
function isEveryContainer({ outputs, input, through }: Ran, options: Options): boolean {
  // Of podman, which needs no names then.
  if (options.has('-a', '--all') && options.operands.length === 1) return true
  if (listsAll(outputs)) return options.operands.some((word) => word.includes(unknown))
  return through.includes('xargs') && listsAll(input.commands)
}

const listsAll = (commands: readonly Ran[]): boolean =>
  commands.some(
    ({ name, args }) => engines.has(name) && lists(args) && !args.some((arg) => /^(?:-f|--filter)/.test(arg)),
  )

const lists = (args: readonly string[]): boolean => {
  const words = args.filter((arg) => !arg.startsWith('-'))
  const verb = words[0] === 'container' || words[0] === 'image' || words[0] === 'volume' ? words[1] : words[0]
  return verb === 'ps' || verb === 'ls' || verb === 'list' || verb === 'images'
}
