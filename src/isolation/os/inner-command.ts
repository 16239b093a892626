/** How a program is started inside of the box. */
export interface InnerCommand {
  readonly argv: readonly string[]
  /** On top of the environment, and of what sandbox-runtime sets. */
  readonly env: Readonly<Record<string, string>>
  readonly tools: InnerTools
}

/** Programs by absolute paths that are the same inside. */
export interface InnerTools {
  readonly bash: string
  readonly env: string
  /** Whether `env` can undo that a signal is ignored. */
  readonly resetsSignals: boolean
  /** For root, who would be root inside as well. */
  readonly root: { readonly mount: string; readonly setpriv: string } | null
}

/** By which a command says that it could not be confined, and was not started. */
const notConfined = 'ralph: cannot be confined'

/**
 * As root the box's processes are the machine's root to the kernel's own files: one could name a program in
 * /proc/sys/kernel/core_pattern that the kernel then starts outside. So these are made read-only, and then every capability is
 * given up by which that could be undone.
 */
const coverKernel = (mount: string): string =>
  `for d in sys irq bus sysrq-trigger fs; do [ ! -e /proc/$d ] || { ${word(mount)} --bind /proc/$d /proc/$d && ` +
  `${word(mount)} -o remount,bind,ro /proc/$d; } || { echo '${notConfined}' >&2; exit 126; }; done; `

/** A line for the shell inside; it becomes the program. */
export function innerCommand({ argv, env, tools }: InnerCommand): string {
  const { root, resetsSignals } = tools
  const drop =
    root === null ? [] : [root.setpriv, ...'--bounding-set -all --inh-caps -all --no-new-privs --'.split(' ')]
  // A program with an equals sign in its path would be a variable to `env`.
  const behind = argv[0]?.includes('=') === true ? [tools.bash, '-p', '-c', 'exec "$@"', 'exec'] : []
  const reset = resetsSignals ? [tools.env, '--default-signal=TERM', ...behind] : []
  const exports = Object.entries(env).map(([name, value]) => `export ${name}=${word(value)}; `)
  const words = [...drop, ...reset, ...argv].map(word)
  return `${root === null ? '' : coverKernel(root.mount)}${exports.join('')}exec ${words.join(' ')}`
}

/**
 * What runs the sandbox on the host. TERM is for what is inside, which gets the time to end: the sandbox would end at once and
 * take all of it along.
 */
export function outerCommand(line: string, { bash, resetsSignals }: InnerTools): [string, ...string[]] {
  return [bash, '--norc', '-p', '-c', `${resetsSignals ? "trap '' TERM; " : ''}exec ${line}`]
}

export const word = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
