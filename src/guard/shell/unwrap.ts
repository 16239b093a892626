import { nameOf } from './name-of.ts'
import { runByOption } from './run-by-option.ts'

/** How a program that runs another one takes its own arguments. */
interface Wrapper {
  /** Options that take the next word. */
  readonly valued?: string
  /** How many words of its own stand before the command. */
  readonly operands?: number
  /** The word behind which the command stands, where it is none of its first ones. */
  readonly verbs?: string
  /** Options whose value is a script for a shell. */
  readonly scripts?: string
  /** Options whose value is the directory to run it in; they are among `valued`. */
  readonly chdir?: string
  /** Its words are scripts, not a command. */
  readonly isScript?: boolean
}

/** What is run inside of a command. */
export type Inner =
  | {
      readonly kind: 'words'
      readonly words: readonly string[]
      readonly assigned: ReadonlyMap<string, readonly string[]>
      /** Where it is run, as the option says it. */
      readonly directory: string | null
    }
  | { readonly kind: 'script'; readonly text: string }

const none: Wrapper = {}
const each = (names: string, wrapper: Wrapper): (readonly [string, Wrapper])[] =>
  names.split(' ').map((name) => [name, wrapper] as const)

const wrappers: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ...each(
    'builtin nohup setsid busybox toybox stdbuf time gtime coproc noglob nocorrect unbuffer chronic fakeroot',
    none,
  ),
  ...each(
    'rlwrap torsocks proxychains proxychains4 dbus-run-session caffeinate ssh-agent cross-env dotenv catchsegv',
    none,
  ),
  ...each('- { sem', none),
  ['command', none],
  ['repeat', { operands: 1 }],
  ['exec', { valued: '-a' }],
  ['env', { valued: '-u -C -P --unset --chdir', chdir: '-C --chdir', scripts: '-S --split-string' }],
  [
    'sudo',
    {
      valued: '-u -g -h -p -C -D -R -T -U -r -t --user --group --chdir --host --prompt --role --type',
      chdir: '-D --chdir',
    },
  ],
  ['doas', { valued: '-u -C' }],
  ['pkexec', { valued: '--user' }],
  ['su', { valued: '-s -g -G -w --shell --group', scripts: '-c --command --session-command', operands: 1000 }],
  ['runuser', { valued: '-u -s -g -G', scripts: '-c --command --session-command' }],
  ['sg', { scripts: '-c', operands: 1 }],
  ['nice', { valued: '-n --adjustment' }],
  ['ionice', { valued: '-c -n -p -P -u --class --classdata' }],
  ['chrt', { valued: '-T -P -D', operands: 1 }],
  // Which processors, it is told in a word of its own, unless they stand behind the option's `=`.
  ['taskset', { operands: 1 }],
  ['numactl', { valued: '-m -N -C -i' }],
  ['prlimit', none],
  ['timeout', { valued: '-s -k --signal --kill-after', operands: 1 }],
  ['gtimeout', { valued: '-s -k --signal --kill-after', operands: 1 }],
  ['flock', { valued: '-w -E --timeout --conflict-exit-code', scripts: '-c --command', operands: 1 }],
  ['lockf', { valued: '-t', operands: 1 }],
  ['strace', { valued: '-e -o -p -s -u -E -P -S -a -I -b -O -X' }],
  ['ltrace', { valued: '-e -o -p -s -u -l -n -a -x' }],
  ['perf', { verbs: 'stat record trace', valued: '-e -o -p -r' }],
  ['valgrind', none],
  ['script', { valued: '-I -O -B -T -m -E -o', scripts: '-c --command', operands: 1 }],
  ['chroot', { operands: 1 }],
  ['unshare', { valued: '-R -w -S -G --root --wd --setuid --setgid' }],
  ['nsenter', { valued: '-t -S -G --target' }],
  ['setpriv', { valued: '--reuid --regid --groups' }],
  ['systemd-run', { valued: '-p -u --property --unit --description -E --setenv' }],
  ['systemd-inhibit', none],
  ['xvfb-run', { valued: '-n -s -e -f -w -p' }],
  ['arch', none],
  ...each('linux32 linux64 setarch', none),
  ['watch', { valued: '-n --interval -q', isScript: true }],
  [
    'hyperfine',
    {
      valued: '-w -m -M -r -n -L -p -s -c -S --warmup --runs --name',
      scripts: '-p -s -c --prepare --setup --cleanup',
      isScript: true,
    },
  ],
  ['entr', { scripts: '-s' }],
  ['watchexec', { valued: '-w -e -f -i -d -s --watch --exts --filter --ignore --signal', isScript: true }],
  ['screen', { valued: '-S -c -e -h -s -t -T -p -x -r' }],
  ...each('shx firejail dbus-launch daemonize ts', none),
  ...each('gosu su-exec', { operands: 1 }),
  ['proot', { valued: '-r -b -w -q -k' }],
  ['pueue', { verbs: 'add' }],
  ['eval', { isScript: true }],
  ['trap', none],
  ...each('poetry pipenv uv rye hatch pdm conda mamba doppler', {
    verbs: 'run',
    valued: '-n -p --name --prefix --with',
  }),
  ['bundle', { verbs: 'exec' }],
  ['mise', { verbs: 'exec x' }],
  ['direnv', { verbs: 'exec', operands: 1 }],
  ['op', { verbs: 'run' }],
  ['nix-shell', { valued: '-p -A', scripts: '--run --command', operands: 1000 }],
  ['npx', { valued: '-p --package', scripts: '-c --call' }],
])

/** The programs that run what their words say. */
export const wrapping: string = [...wrappers.keys(), 'parallel', 'ld-*'].join(' ')

const maxWrappers = 50

/** The commands that these words run: the one they begin with, and the one that it runs. */
export function unwrap(words: readonly string[]): { readonly name: string; readonly args: readonly string[] }[] {
  const found: { name: string; args: readonly string[] }[] = []
  let rest: readonly string[] | undefined = words
  while (rest !== undefined && rest.length > 0 && found.length < maxWrappers) {
    const [first = '', ...args]: readonly string[] = rest
    const name = nameOf(first)
    found.push({ name, args })
    const inner = innerOf(name, args).find(({ kind }) => kind === 'words')
    rest = inner?.kind === 'words' ? inner.words : undefined
  }
  return found
}

/** What the words after the name of such a program run; none where it is no such program, or runs nothing. */
export function innerOf(name: string, args: readonly string[]): readonly Inner[] {
  if (name === 'parallel') return parallelInner(args)
  const wrapper = wrappers.get(name) ?? (/^ld-(?:linux|musl).*\.so/.test(name) ? none : undefined)
  if (wrapper === undefined) return runByOption(name, args).map((text) => ({ kind: 'script', text }))
  if (name === 'command' && /^-[a-z]*[vV]/.test(args[0] ?? '')) return []
  if (name === 'trap')
    return args.length > 1 && !(args[0] ?? '').startsWith('-') ? [{ kind: 'script', text: args[0] ?? '' }] : []
  if (name === 'taskset' && args.some((arg) => arg.startsWith('--cpu-list='))) return innerOfWrapper(args, none)
  return innerOfWrapper(args, wrapper)
}

function innerOfWrapper(
  args: readonly string[],
  { valued = '', operands = 0, verbs, scripts = '', chdir = '', isScript }: Wrapper,
): Inner[] {
  const takesNext = new Set(valued.split(' '))
  const isScriptOption = new Set(scripts.split(' '))
  const assigned = new Map<string, readonly string[]>()
  const found: Inner[] = []
  const changes = new Set(chdir.split(' '))
  let directory: string | null = null
  let left = operands
  let needsVerb = verbs !== undefined
  let isOver = false
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ''
    if (!isOver && arg === '--') {
      isOver = true
      continue
    }
    if (!isOver && arg.startsWith('-') && arg !== '-') {
      const [long, value] = splitLong(arg)
      const short = /^-[A-Za-z]+$/.test(arg) ? `-${arg.at(-1)}` : long
      if (isScriptOption.has(long) || isScriptOption.has(short))
        found.push({ kind: 'script', text: value ?? args[++index] ?? '' })
      else if (isScriptOption.has(arg.slice(0, 2)) && !arg.startsWith('--'))
        found.push({ kind: 'script', text: arg.slice(2) })
      else if (
        value === undefined &&
        (takesNext.has(long) || (takesNext.has(short) && !takesNext.has(arg.slice(0, 2))))
      ) {
        index++
        if (changes.has(long)) directory = args[index] ?? null
      } else if (changes.has(long)) directory = value ?? null
      else if (changes.has(arg.slice(0, 2))) directory = arg.slice(2)
      continue
    }
    const [, name, value = ''] = /^([A-Za-z_]\w*)=([^]*)$/.exec(arg) ?? []
    // A script may begin with one, which is then a part of it.
    if (name !== undefined && left === operands && isScript !== true) {
      assigned.set(name, [value])
      continue
    }
    if (needsVerb) {
      if (!(verbs ?? '').split(' ').includes(arg)) return found
      needsVerb = false
      continue
    }
    if (left > 0) {
      left--
      isOver = false
      continue
    }
    const words = args.slice(index)
    // Whether it puts its words together or not, what they say first is what is meant.
    if (isScript === true) found.push({ kind: 'script', text: words.join(' ') })
    if (isScript !== true || words.length > 1) found.push({ kind: 'words', words, assigned, directory })
    return found
  }
  return found
}

const splitLong = (arg: string): [string, string | undefined] => {
  const at = arg.startsWith('--') ? arg.indexOf('=') : -1
  return at === -1 ? [arg, undefined] : [arg.slice(0, at), arg.slice(at + 1)]
}

/** `parallel rm -rf ::: a b`, `parallel ::: 'rm -rf a'`: each value behind the command, or in the place of `{}`. */
function parallelInner(args: readonly string[]): Inner[] {
  const at = args.findIndex((arg) => /^:::\+?$/.test(arg))
  const values = at === -1 ? [] : args.slice(at + 1).filter((arg) => !arg.startsWith(':::'))
  const [first] = innerOfWrapper(at === -1 ? args : args.slice(0, at), {
    valued: '-j -n -N -I -S -a -d -C --jobs --colsep --delay --timeout --results --joblog --arg-file',
  })
  const words = first?.kind === 'words' ? first.words : []
  if (words.length === 0) return values.map((text) => ({ kind: 'script', text }))
  const command = words.join(' ')
  const together: Inner = {
    kind: 'words',
    words: [...words, ...values.slice(0, 1)],
    assigned: new Map(),
    directory: null,
  }
  if (values.length === 0) return [together, { kind: 'script', text: command }]
  return [
    together,
    ...values.map((value): Inner => ({
      kind: 'script',
      text: command.includes('{}')
        ? command.replaceAll('{}', value)
        : `${command} ${shells.test(command) ? quoted(value) : value}`,
    })),
  ]
}

const shells = /\b(?:ba|z|da|k)?sh\s+-\w*c$/
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
