/**
 * How a program of many commands says what it does: `aws ec2 terminate-instances`, `fly apps destroy`. Lists of words are
 * texts until somebody asks: there are a hundred programs, and a call of the guard is about one.
 */
export interface VerbGrammar {
  /** Options that stand before the verb and take the next word. */
  readonly valued: string
  /** Words that harm; `a*` and `*a` are their beginning or end, `a/b` are two that follow each other. */
  readonly harmful: string
  /** Words that only look; what follows them is a name. */
  readonly looking: string
  /** How many words at most say what is done. */
  readonly depth: number
}

export const verbGrammar = (
  harmful: string,
  { valued = '', looking = usualLooks, depth = 4 }: { valued?: string; looking?: string; depth?: number } = {},
): VerbGrammar => ({ valued, harmful, looking, depth })

const usualLooks =
  'list ls describe get show view info status help version logs log tail search inspect diff plan validate'

/** The words up to the one that harms; null where there is none, or where nothing would happen. */
export function harmfulVerb(args: readonly string[], grammar: VerbGrammar): string | null {
  const valued = new Set(grammar.valued.split(' '))
  if (isHarmless(args) || args.at(-1) === 'help' || (args.includes('-h') && !valued.has('-h'))) return null
  const harmful = grammar.harmful.split(' ')
  const looking = new Set(grammar.looking.split(' '))
  const words: string[] = []
  for (let index = 0; index < args.length && words.length < grammar.depth; index++) {
    const arg = args[index] ?? ''
    if (arg === '--') break
    if (arg.startsWith('-')) {
      if (valued.has(arg)) index++
      // Behind a verb and its noun options have values, which may be any word.
      else if (words.length >= 2 && !arg.includes('=') && !switches.test(arg)) break
      continue
    }
    const word = arg.toLowerCase()
    words.push(word)
    if (harmful.some((verb) => isVerb(verb, word, words.at(-2)))) return words.join(' ')
    if (looking.has(word)) return null
  }
  return null
}

function isVerb(verb: string, word: string, before: string | undefined): boolean {
  if (verb.endsWith('*')) return word.startsWith(verb.slice(0, -1))
  if (verb.startsWith('*')) return word.endsWith(verb.slice(1))
  return verb === (verb.includes('/') ? `${before}/${word}` : word)
}

/** Options that no program gives a value. */
const switches = /^--?(?:v|verbose|debug|q|quiet|y|yes|f|force|no-.+|only-show-errors)$/

/** Whether it only shows its help or what it would do. */
export function isHarmless(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return args.slice(0, end === -1 ? args.length : end).some((arg) => {
    const [, name, value] = /^--?([a-z_-]+)(?:=(.*))?$/i.exec(arg) ?? []
    return (
      name !== undefined &&
      harmless.has(name.toLowerCase().replaceAll('_', '-')) &&
      !/^(?:none|false|0)$/i.test(value ?? '')
    )
  })
}

const harmless = new Set(['help', 'dry-run', 'dryrun', 'what-if', 'whatif', 'generate-cli-skeleton'])
