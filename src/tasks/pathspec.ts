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

/** git's wildmatch by remembering what was tried: linear in path × pattern, whatever the pattern. */
function wildmatch(text: string, pattern: string, pathname: boolean): boolean {
  const tried = new Set<number>()
  const at = (t: number, p: number): boolean => {
    const key = t * (pattern.length + 1) + p
    if (tried.has(key)) return false
    tried.add(key)
    if (p === pattern.length) return t === text.length
    const char = pattern[p]
    if (char === '*') return star(t, p)
    if (t === text.length) return false
    if (char === '?') return !(pathname && text[t] === '/') && at(t + 1, p + 1)
    if (char === '[') {
      const set = bracket(pattern, p, text[t] ?? '')
      return set !== null && set.matched && !(pathname && text[t] === '/') && at(t + 1, set.end)
    }
    if (char === '\\' && p + 1 < pattern.length) return text[t] === pattern[p + 1] && at(t + 1, p + 2)
    return text[t] === char && at(t + 1, p + 1)
  }
  const star = (t: number, p: number): boolean => {
    let end = p
    while (pattern[end] === '*') end++
    const doubled = end - p >= 2
    const whole = doubled && (p === 0 || pattern[p - 1] === '/') && (end === pattern.length || pattern[end] === '/')
    const crosses = !pathname || whole
    if (whole && pathname && pattern[end] === '/' && at(t, end + 1)) return true
    for (let next = t; ; next++) {
      if (at(next, end)) return true
      if (next === text.length || (!crosses && text[next] === '/')) return false
    }
  }
  return at(0, 0)
}

/** `[a-z]`, `[!x]`, `[[:alpha:]]`; null where the bracket is never closed. */
function bracket(pattern: string, start: number, char: string): { matched: boolean; end: number } | null {
  let index = start + 1
  const negated = pattern[index] === '!' || pattern[index] === '^'
  if (negated) index++
  let matched = false
  for (let first = true; ; first = false) {
    const current = pattern[index]
    if (current === undefined) return null
    if (current === ']' && !first) return { matched: matched !== negated, end: index + 1 }
    const named = /^\[:([a-z]+):\]/.exec(pattern.slice(index, index + 12))
    if (named !== null) {
      if (classes[named[1] ?? '']?.test(char) === true) matched = true
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
    if (char >= low && char <= high) matched = true
  }
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
