import type { Place } from './place.ts'
import { traceScript, type Ran } from './shell/trace.ts'

/**
 * A command and what it runs for us elsewhere or by name: in a container, on another machine, by a package manager.
 * What these do to files is not done to ours, but a database or a cloud is the same from everywhere.
 */
export function programsIn(command: Ran, place: Place): readonly Ran[] {
  if (!runners.has(command.name)) return [command]
  const known = found.get(command)
  if (known !== undefined) return known
  const all = [command, ...innerOf(command, place, 0)]
  found.set(command, all)
  return all
}

/** Many rules ask the same. */
const found = new WeakMap<Ran, readonly Ran[]>()

const maxDepth = 4

function innerOf(command: Ran, place: Place, depth: number): Ran[] {
  const run = runners.get(command.name)?.(command.args) ?? null
  if (run === null || run.words.length === 0 || depth > maxDepth) return []
  const text = run.isText ? run.words.join(' ') : run.words.map(quoted).join(' ')
  const all: Ran[] = []
  for (const inner of traceScript(text, place).ran) {
    const ran = startedBy(command, inner)
    all.push(ran, ...innerOf(ran, place, depth + 1))
  }
  return all
}

/** It has the input, the environment and the directory of the one that runs it. */
function startedBy(command: Ran, inner: Ran): Ran {
  const { commands, texts, files } = inner.input
  const hasInput = commands.length + texts.length + files.length > 0
  return {
    ...inner,
    directories: command.directories,
    environment: new Map([...command.environment, ...inner.environment]),
    input: hasInput ? inner.input : command.input,
    through: [...command.through, command.name, ...inner.through],
  }
}

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`

/** The words of the command that is run; null: none. As text they are put together and read by a shell. */
type Runner = (args: readonly string[]) => { readonly words: readonly string[]; readonly isText?: boolean } | null

/** Behind its options and as many operands of its own; behind `--` where there is one among them. */
const after =
  (valued = '', operands = 0): Runner =>
  (args) => {
    const takesNext = new Set(valued.split(' '))
    let left = operands
    for (let index = 0; index < args.length; index++) {
      const arg = args[index] ?? ''
      if (arg === '--') return { words: args.slice(index + 1) }
      if (takesNext.has(arg)) index++
      else if (!arg.startsWith('-') && --left < 0) return { words: args.slice(index) }
    }
    return null
  }

/** The same behind one of these verbs. */
const behind =
  (verbs: string, runner: Runner): Runner =>
  (args) => {
    const at = args.findIndex((arg) => !arg.startsWith('-'))
    return verbs.split(' ').includes(args[at] ?? '') ? runner(args.slice(at + 1)) : null
  }

const either =
  (...runners: readonly Runner[]): Runner =>
  (args) => {
    for (const runner of runners) {
      const run = runner(args)
      if (run !== null) return run
    }
    return null
  }

/** A script is known by its name; a module too. */
const script: Runner = (args) => {
  const at = args.indexOf('-m')
  const name = at === -1 ? args.findIndex((arg) => !arg.startsWith('-')) : at + 1
  return name === -1 || args.slice(0, name).some((arg) => /^-[ceErp]$/.test(arg)) ? null : { words: args.slice(name) }
}

const containerValued =
  '-e --env --env-file -u --user -w --workdir --name -v --volume --network --net -p --publish -h --hostname --entrypoint -l --label --mount --platform --add-host --memory -m --cpus --index -c --context --profile -f --file'
const inContainer = after(containerValued, 1)
const container = either(
  behind('exec run', inContainer),
  behind('compose', (args) => composed(args)),
  behind('container', behind('exec run', inContainer)),
)
const composed: Runner = (args) => {
  const at = args.findIndex((arg) => arg === 'exec' || arg === 'run')
  return at === -1 ? null : inContainer(args.slice(at + 1))
}

const pod: Runner = (args) => {
  const at = args.indexOf('exec')
  return at === -1 ? null : after('-n --namespace -c --container -f --filename --context', 1)(args.slice(at + 1))
}

const remote: Runner = (args) => {
  const run = after('-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -B', 1)(args)
  return run === null ? null : { ...run, isText: true }
}

const packageValued =
  '-p --package -c --call -w --workspace --filter --prefix -C --cwd --dir --from --with --spec --python -n'

/** What the tracer itself looks through (npx, poetry, bundle …) is not among them. */
const runners: ReadonlyMap<string, Runner> = new Map<string, Runner>([
  ...['bunx', 'pnpx', 'uvx'].map((name) => [name, after(packageValued)] as const),
  ['npm', behind('exec x', after(packageValued))],
  ['pnpm', either(behind('exec dlx run', after(packageValued)), after(packageValued))],
  ['yarn', either(behind('exec dlx run', after(packageValued)), after(packageValued))],
  ['bun', either(behind('x run', after(packageValued)), script)],
  ['pipx', behind('run', after(packageValued))],
  ...['python', 'python2', 'python3', 'py', 'node', 'ruby', 'php', 'deno'].map((name) => [name, script] as const),
  ...['dotenvx', 'infisical', 'railway', 'heroku'].map(
    (name) =>
      [name, behind('run run:detached', after('-a --app -p --project -c --config -e --env --env-file -f'))] as const,
  ),
  ['env-cmd', after('-f --file -e --environments -r --rc-file')],
  ['aws-vault', behind('exec', after('-d --duration -r --region', 1))],
  ['chamber', behind('exec', after('', 1))],
  ...['sail', 'lando'].map((name) => [name, after()] as const),
  ['ddev', either(behind('exec', after('-s --service -d --dir')), after())],
  ...['docker', 'podman', 'nerdctl'].map((name) => [name, container] as const),
  ...['docker-compose', 'podman-compose'].map((name) => [name, composed] as const),
  ...['kubectl', 'oc'].map((name) => [name, pod] as const),
  ['ssh', remote],
])
