import { grammar, readOptions, type Options } from '../../options.ts'
import { programsIn } from '../../programs-in.ts'
import type { Rule } from '../../rule.ts'
import { isHarmless } from '../../verbs.ts'

export const infrastructure: Rule = {
  name: 'infrastructure',
  category: 'cloud',
  why: 'It changes or removes infrastructure, and nobody is there to look at the plan first.',
  instead:
    'Make and check the plan (`terraform plan`, `pulumi preview`, `cdk diff`, `--check`), and leave it to people to apply it.',
  get programs() {
    return [...programs.keys()].join(' ')
  },
  forbids(command, place) {
    for (const { name, args, input, environment } of programsIn(command, place)) {
      const what = programs.get(name)
      if (what === undefined || isHarmless(args)) continue
      const found = what(readOptions(args, what === terraform ? singleDash : valued))
      if (what === terraform && /^(?:apply|up)$/.test(args.find((arg) => !arg.startsWith('-')) ?? '')) {
        const isAnswered =
          input.commands.some(({ name }) => name === 'yes') || input.texts.some((text) => /^yes\b/.test(text))
        const given = [...environment].flatMap(([name, values]) => (name.startsWith('TF_CLI_ARGS') ? values : []))
        if (isAnswered || given.some((text) => text.includes('auto-approve')))
          return `would change infrastructure (${name} apply)`
      }
      if (found !== null) return `would change infrastructure (${name} ${found})`
    }
    return null
  },
}

type Program = (options: Options) => string | null

const singleDash = grammar('--var --var-file --target --state --lock-timeout', '', true)
const valued = grammar(
  '-s --stack -C --cwd -c --context --profile -a --app -i --inventory -l --limit -e --extra-vars -u --user -t --tags -m --module-name --stage --region --config --component --args -o',
)

/** The verbs that harm; more than one word by a blank. */
const verbs =
  (denied: string, more: (options: Options) => string | null = () => null): Program =>
  (options) => {
    const [first = '', second = '', third = ''] = options.operands
    const said = [first, `${first} ${second}`, `${first} ${second} ${third}`]
    return said.find((words) => denied.split(', ').includes(words)) ?? more(options)
  }

const terraform: Program = verbs(
  'destroy, taint, untaint, force-unlock, state rm, state push, state mv, state replace-provider, workspace delete, run-all destroy, stack destroy, apply-all, destroy-all',
  (options) => {
    const at = options.operands.findIndex((word) => word === 'apply' || word === 'up' || word === 'deploy')
    if (at === -1) return null
    if (options.has('--destroy')) return 'apply -destroy'
    return options.has('--auto-approve', '--terragrunt-non-interactive', '--non-interactive')
      ? 'apply -auto-approve'
      : null
  },
)

/** A run that changes other machines; one that only looks is told by its options. */
const ansible: Program = (options) => {
  if (options.has('-C', '--check', '--syntax-check', '--list-hosts', '--list-tasks', '--list-tags', '--version', '-h'))
    return null
  const isHere = options.has('--connection=local') || options.values('-c', '--connection').includes('local')
  const isLocal = options.values('-i', '--inventory').every((from) => /^(?:localhost|127\.0\.0\.1),?$/.test(from))
  return options.operands.length === 0 || isHere || (isLocal && options.has('-i', '--inventory'))
    ? null
    : options.operands.join(' ')
}

const looking = new Set([
  'ping',
  'setup',
  'debug',
  'gather_facts',
  'stat',
  'assert',
  'ansible.builtin.ping',
  'ansible.builtin.setup',
])

const adhoc: Program = (options) =>
  options.values('-m', '--module-name').some((module) => looking.has(module)) ? null : ansible(options)

const approved =
  (verb: string, ...options: readonly string[]): ((given: Options) => string | null) =>
  (given) =>
    given.operands.includes(verb) && given.has(...options) ? `${verb} ${options[0]}` : null

const programs: ReadonlyMap<string, Program> = new Map<string, Program>([
  ...['terraform', 'tofu', 'terragrunt', 'atmos', 'terramate', 'cdktf'].map((name) => [name, terraform] as const),
  [
    'pulumi',
    verbs(
      'destroy, down, stack rm, stack remove, state delete, cancel, org member remove',
      approved('up', '-y', '--yes', '-f', '--skip-preview'),
    ),
  ],
  ['cdk', verbs('destroy, gc')],
  ['sst', verbs('remove, unlock')],
  ['sam', verbs('delete')],
  ...['serverless', 'sls'].map((name) => [name, verbs('remove, rollback')] as const),
  ['cfn', verbs('delete')],
  ['vagrant', verbs('destroy, box remove, snapshot delete')],
  ['multipass', verbs('delete, purge')],
  ['limactl', verbs('delete, factory-reset')],
  ['virsh', verbs('destroy, undefine, vol-delete, pool-delete, pool-destroy, snapshot-delete, net-destroy')],
  ['vboxmanage', verbs('unregistervm, closemedium')],
  ['prlctl', verbs('delete')],
  ['lxc', verbs('delete, storage delete, image delete')],
  ['incus', verbs('delete, storage delete, image delete')],
  ['ansible-playbook', ansible],
  ['ansible', adhoc],
  ['ansible-pull', ansible],
  [
    'salt',
    (options) =>
      options.operands.some((word) =>
        /^(?:cmd\.|state\.apply|state\.highstate|file\.remove|service\.stop|pkg\.remove)/.test(word),
      )
        ? options.operands.join(' ')
        : null,
  ],
  ['knife', verbs('node delete, client delete, cookbook delete, environment delete, role delete, ssh, data bag')],
  ['helmfile', verbs('destroy, delete')],
])
