import { grammar, readOptions, type Options } from '../../options.ts'
import { star } from '../../shell/pattern.ts'
import type { Ran } from '../../shell/trace.ts'

/** A call of git, with aliases of its own command line resolved. */
export interface GitCall {
  readonly verb: string
  readonly args: readonly string[]
  /** `-c NAME=VALUE`, and the same by the environment. */
  readonly settings: readonly string[]
}

const valued = new Set('-C -c --git-dir --work-tree --namespace --config-env --attr-source'.split(' '))

const maxAliases = 10
const maxPacked = 20_000

/** Many rules ask the same. */
const known = new WeakMap<Ran, GitCall>()

/** Null where it is no git. `git-push` is `git push`. */
export function gitCallOf(command: Ran): GitCall | null {
  if (command.name !== 'git' && command.name !== 'hub' && !command.name.startsWith('git-')) return null
  const call = known.get(command) ?? readCall(command)
  known.set(command, call)
  return call
}

function readCall({ name, args, environment }: Ran): GitCall {
  if (name.startsWith('git-')) return { verb: name.slice('git-'.length), args, settings: [] }
  const settings = settingsIn(environment)
  let rest = args
  for (let round = 0; round < maxAliases; round++) {
    const verbAt = readGlobal(rest, settings)
    const verb = rest[verbAt] ?? ''
    const after = rest.slice(verbAt + 1)
    const alias = settings.findLast((setting) => setting.toLowerCase().startsWith(`alias.${verb.toLowerCase()}=`))
    const meant = verb === '' ? undefined : alias?.slice(`alias.${verb}=`.length)
    if (meant === undefined || meant.startsWith('!')) return { verb, args: after, settings }
    rest = [...meant.split(/\s+/).filter((word) => word !== ''), ...after]
  }
  return { verb: '', args: [], settings }
}

/** Where the verb is; what `-c` says is added to the settings. */
function readGlobal(args: readonly string[], settings: string[]): number {
  let index = 0
  for (; index < args.length; index++) {
    const arg = args[index] ?? ''
    if (!arg.startsWith('-')) break
    if (arg === '-c') settings.push(args[index + 1] ?? '')
    else if (/^-c[A-Za-z]/.test(arg)) settings.push(arg.slice(2))
    if (valued.has(arg)) index++
  }
  return index
}

/** `GIT_CONFIG_PARAMETERS` has them quoted, the other way is by number. */
function settingsIn(environment: ReadonlyMap<string, readonly string[]>): string[] {
  const packed = (environment.get('GIT_CONFIG_PARAMETERS') ?? []).flatMap((text) =>
    // What nobody can read may run anything.
    text.length > maxPacked
      ? ['alias.x=!']
      : [...text.matchAll(/'([^']*)'(?:='([^']*)')?/g)].map(([, key = '', value]) =>
          value === undefined ? key : `${key}=${value}`,
        ),
  )
  const numbered = [...environment.keys()]
    .filter((name) => name.startsWith('GIT_CONFIG_KEY_'))
    .flatMap((name) => {
      const values = environment.get(name.replace('KEY', 'VALUE')) ?? ['']
      return (environment.get(name) ?? []).flatMap((key) => values.map((value) => `${key}=${value}`))
    })
  return [...packed, ...numbered]
}

/** Options of a verb of git; null where it only shows its help. */
export function readGitOptions(args: readonly string[], valued: string, long: string): Options | null {
  const options = readOptions(args, grammar(valued, long))
  return options.has('-h', '--help', '--version') ? null : options
}

/** A pathspec that means everything. */
export const isWholeTree = (path: string): boolean => path === star || wholeTree.has(path)

const wholeTree = new Set(['.', './', '*', './*', ':/', ':/*', ':', ':(top)', ':(top).'])
