/** How a program that runs another one takes its own arguments. */
interface Wrapper {
  /** Options that take the next word. */
  readonly valued?: string
  /** How many words of its own stand before the command. */
  readonly operands?: number
}

const none: Wrapper = {}

const wrappers: ReadonlyMap<string, Wrapper> = new Map([
  ...['builtin', 'command', 'nohup', 'setsid', 'busybox', 'stdbuf', 'time', 'coproc', '{'].map(
    (name) => [name, none] as const,
  ),
  ['function', { operands: 1 }],
  ['exec', { valued: '-a' }],
  ['env', { valued: '-u -C -S --unset --chdir' }],
  ['sudo', { valued: '-u -g -h -p -C -D -R -T -U --user --group' }],
  ['doas', { valued: '-u -C' }],
  ['nice', { valued: '-n --adjustment' }],
  ['ionice', { valued: '-c -n -p' }],
  ['timeout', { valued: '-s -k --signal --kill-after', operands: 1 }],
  ['flock', { valued: '-w -E --timeout', operands: 1 }],
  ['xargs', { valued: '-I -n -L -P -s -d -E -a -i --max-args --max-procs --delimiter --arg-file --replace' }],
])

const maxWrappers = 50

/** The commands that these words run: the one they begin with, and the one that it runs. */
export function unwrap(
  words: readonly string[],
): { readonly name: string; readonly word: string; readonly args: readonly string[] }[] {
  const found: { name: string; word: string; args: readonly string[] }[] = []
  let rest = words
  for (let round = 0; round < maxWrappers && rest.length > 0; round++) {
    const [first = '', ...args] = rest
    const name = first.slice(first.lastIndexOf('/') + 1)
    const wrapper = wrappers.get(name)
    found.push({ name, word: first, args })
    if (wrapper === undefined) break
    rest = args.slice(startOfCommand(args, wrapper))
  }
  return found
}

function startOfCommand(args: readonly string[], { valued = '', operands = 0 }: Wrapper): number {
  const takesNext = new Set(valued.split(' '))
  let index = 0
  for (; index < args.length; index++) {
    const arg = args[index] ?? ''
    if (arg === '--') {
      index++
      break
    }
    if (takesNext.has(arg)) index++
    else if (!arg.startsWith('-') && !/^[A-Za-z_]\w*=/.test(arg)) break
  }
  return index + operands
}
