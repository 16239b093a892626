/** How a program reads its options, as far as it differs. */
export interface Grammar {
  /** Options that take the next word, with their dashes. */
  readonly valued: ReadonlySet<string>
  /** Long options, without dashes, that may be abbreviated. */
  readonly long: readonly string[]
  /** One dash or two are the same, and letters are not put together: `-auto-approve`. */
  readonly isSingleDash: boolean
}

export interface Options {
  /** Whether one of these was given, in whatever form; an abbreviation counts for all that it may stand for. */
  readonly has: (...names: readonly string[]) => boolean
  readonly values: (...names: readonly string[]) => string[]
  /** The words that are neither options nor their values. */
  readonly operands: readonly string[]
  /** How many of them stand before `--`; null: there is no `--`. */
  readonly dashesAt: number | null
}

/** `valued` and `long` are lists of words. */
export const grammar = (valued = '', long = '', isSingleDash = false): Grammar => ({
  valued: new Set(valued.split(' ')),
  long: long === '' ? [] : long.split(' '),
  isSingleDash,
})

/** Reads options as getopt does: letters put together, `--name=value`, `--`. */
export function readOptions(args: readonly string[], grammar: Grammar): Options {
  const given = new Map<string, string[]>()
  const operands: string[] = []
  let dashesAt: number | null = null
  const note = (names: readonly string[], value: string | undefined): void => {
    for (const name of names) {
      const values = given.get(name) ?? []
      if (value !== undefined) values.push(value)
      given.set(name, values)
    }
  }
  const { valued } = grammar
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ''
    if (dashesAt !== null || arg === '-' || !arg.startsWith('-')) operands.push(arg)
    else if (arg === '--') dashesAt = operands.length
    else if (arg.startsWith('--') || grammar.isSingleDash) {
      const end = arg.indexOf('=')
      const names = longNames(end === -1 ? arg : arg.slice(0, end), grammar)
      const takesNext = end === -1 && names.some((name) => valued.has(name))
      note(names, takesNext ? args[++index] : end === -1 ? undefined : arg.slice(end + 1))
    } else {
      for (let at = 1; at < arg.length; at++) {
        const name = `-${arg[at]}`
        if (!valued.has(name)) note([name], undefined)
        else {
          note([name], at + 1 < arg.length ? arg.slice(at + 1) : args[++index])
          break
        }
      }
    }
  }
  return {
    has: (...names) => names.some((name) => given.has(name)),
    values: (...names) => names.flatMap((name) => given.get(name) ?? []),
    operands,
    dashesAt,
  }
}

function longNames(arg: string, { long, isSingleDash }: Grammar): string[] {
  const name = isSingleDash ? `--${arg.replace(/^--?/, '')}` : arg
  const text = name.slice(2)
  if (long.length === 0 || text === '' || long.includes(text)) return [name]
  const meant = long.filter((known) => known.startsWith(text))
  return meant.length === 0 ? [name] : meant.map((known) => `--${known}`)
}
