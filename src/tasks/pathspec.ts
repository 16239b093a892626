/**
 * Git's pathspecs as a pure function, because the referee's git takes every path literally and the hook starts no git.
 * Compared with real git in the tests. An empty list matches nothing.
 */
export function matcherOf(pathspecs: readonly string[]): (path: string) => boolean {
  const parsed = pathspecs.map(parse)
  const positive = parsed.filter((spec) => !spec.exclude)
  const negative = parsed.filter((spec) => spec.exclude)
  return (path) => {
    const included = positive.length === 0 ? negative.length > 0 : positive.some((spec) => matches(path, spec))
    return included && !negative.some((spec) => matches(path, spec))
  }
}

interface Pathspec {
  readonly pattern: string
  readonly exclude: boolean
  readonly literal: boolean
  /** `*` stops at a slash and `**` does not; without it both cross slashes. */
  readonly glob: boolean
  readonly icase: boolean
}

function parse(text: string): Pathspec {
  const spec = { exclude: false, literal: false, glob: false, icase: false }
  let rest = text
  const long = /^:\(([a-z,]*)\)/.exec(text)
  if (long !== null) {
    const words = (long[1] ?? '').split(',')
    spec.exclude = words.includes('exclude')
    spec.literal = words.includes('literal')
    spec.glob = words.includes('glob')
    spec.icase = words.includes('icase')
    rest = text.slice(long[0].length)
  } else if (text.startsWith(':')) {
    const short = /^:([/!^]*):?/.exec(text)
    spec.exclude = /[!^]/.test(short?.[1] ?? '')
    rest = text.slice(short?.[0].length ?? 1)
  }
  return { ...spec, pattern: normalise(rest) }
}

/** The same file, named once: no `./`, no doubled slashes. A slash at the end stays: it asks for a directory. */
function normalise(pattern: string): string {
  const parts: string[] = []
  for (const part of pattern.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/') + (pattern.endsWith('/') && parts.length > 0 ? '/' : '')
}

function matches(path: string, spec: Pathspec): boolean {
  const [subject, pattern] = spec.icase ? [path.toLowerCase(), spec.pattern.toLowerCase()] : [path, spec.pattern]
  if (pattern === '' || subject === pattern) return true
  if (subject.startsWith(pattern.endsWith('/') ? pattern : `${pattern}/`)) return true
  const wild = spec.literal ? -1 : pattern.search(/[*?[\\]/)
  if (wild === -1 || !subject.startsWith(pattern.slice(0, wild))) return false
  // Git takes off what is not wild first: for it, the `**` of `src**` stands at the beginning.
  return wildmatch(subject.slice(wild), pattern.slice(wild), spec.glob)
}

/** A glob as `mayChange` and `:(glob)` mean it: `*` within a directory, `**` across. */
export function matchesGlob(path: string, glob: string): boolean {
  return matches(path, { pattern: normalise(glob), exclude: false, literal: false, glob: true, icase: false })
}

/** One step of a pattern. `skip` is the choice before a leading `**` and its slash: either goes on, or behind both. */
type Step =
  | { readonly kind: 'one'; readonly takes: (char: string) => boolean }
  | { readonly kind: 'any'; readonly takes: (char: string) => boolean }
  | { readonly kind: 'skip'; readonly to: number }

/** git's wildmatch by following all ways at once: linear in path × pattern, without recursion, whatever they are. */
function wildmatch(text: string, pattern: string, pathname: boolean): boolean {
  const steps = compile(pattern, pathname)
  let at = reach([0], steps)
  // By UTF-16 units, as the patterns are: a path may hold half of a pair.
  for (let index = 0; index < text.length && at.size > 0; index++) {
    const char = text[index] ?? ''
    const next: number[] = []
    for (const place of at) {
      const step = steps[place]
      if (step === undefined || step.kind === 'skip' || !step.takes(char)) continue
      next.push(step.kind === 'any' ? place : place + 1)
    }
    at = reach(next, steps)
  }
  return at.has(steps.length)
}

/** These places and all that can be got to from them without a character. */
function reach(places: readonly number[], steps: readonly Step[]): ReadonlySet<number> {
  const found = new Set(places)
  for (const place of found) {
    const step = steps[place]
    if (step === undefined || step.kind === 'one') continue
    found.add(place + 1)
    if (step.kind === 'skip') found.add(step.to)
  }
  return found
}

function compile(pattern: string, pathname: boolean): Step[] {
  const inside = (char: string) => !(pathname && char === '/')
  const steps: Step[] = []
  for (let at = 0; at < pattern.length;) {
    const char = pattern[at] ?? ''
    if (char === '*') {
      const start = at
      while (pattern[at] === '*') at++
      const opens = start === 0 || pattern[start - 1] === '/'
      const whole = at - start >= 2 && opens && (at === pattern.length || pattern[at] === '/')
      if (whole && pathname && pattern[at] === '/') steps.push({ kind: 'skip', to: steps.length + 3 })
      steps.push({ kind: 'any', takes: whole ? () => true : inside })
    } else if (char === '[') {
      const set = bracket(pattern, at)
      steps.push({ kind: 'one', takes: (char) => set.has(char) && inside(char) })
      at = set.end
    } else if (char === '?') {
      steps.push({ kind: 'one', takes: inside })
      at++
    } else {
      const literal = char === '\\' && at + 1 < pattern.length ? (pattern[++at] ?? '') : char
      steps.push({ kind: 'one', takes: (char) => char === literal })
      at++
    }
  }
  return steps
}

/** `[a-z]`, `[!x]`, `[[:alpha:]]`; one that is never closed has nothing in it. */
function bracket(pattern: string, start: number): { has: (char: string) => boolean; end: number } {
  let index = start + 1
  const negated = pattern[index] === '!' || pattern[index] === '^'
  if (negated) index++
  const members: ((char: string) => boolean)[] = []
  for (let first = true; ; first = false) {
    const current = pattern[index]
    if (current === undefined) return { has: () => false, end: pattern.length }
    if (current === ']' && !first) break
    const named = /^\[:([a-z]+):\]/.exec(pattern.slice(index, index + 12))
    if (named !== null) {
      members.push((char) => classes[named[1] ?? '']?.test(char) === true)
      index += named[0].length
      continue
    }
    let low = current
    if (low === '\\') low = pattern[++index] ?? ''
    index++
    let high = low
    if (pattern[index] === '-' && pattern[index + 1] !== undefined && pattern[index + 1] !== ']') {
      high = pattern[++index] ?? ''
      if (high === '\\') high = pattern[++index] ?? ''
      index++
    }
    members.push((char) => char >= low && char <= high)
  }
  return { has: (char) => members.some((member) => member(char)) !== negated, end: index + 1 }
}

const classes: Readonly<Record<string, RegExp>> = {
  alpha: /[A-Za-z]/,
  digit: /[0-9]/,
  alnum: /[A-Za-z0-9]/,
  upper: /[A-Z]/,
  lower: /[a-z]/,
  space: /\s/,
  punct: /[!-/:-@[-`{-~]/,
  xdigit: /[0-9A-Fa-f]/,
}
