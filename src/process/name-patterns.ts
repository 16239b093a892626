/** Whether a name of an environment variable is meant. */
export type NameMatch = (name: string) => boolean

/**
 * Names, and patterns in which `*` stands for anything. Case and `-` do not count: npm takes `NPM_CONFIG_SCRIPT-SHELL` as well
 * as `npm_config_script_shell`.
 */
export function matchNames(patterns: readonly string[]): NameMatch {
  const exact = new Set<string>()
  const parts: (readonly string[])[] = []
  for (const pattern of patterns.map(normal)) {
    if (pattern.includes('*')) parts.push(pattern.split('*'))
    else exact.add(pattern)
  }
  return (name) => {
    const wanted = normal(name)
    return exact.has(wanted) || parts.some((pieces) => fits(wanted, pieces))
  }
}

/** A list of them, written as one line. */
export const namesIn = (text: string): string[] => text.split(' ')

const normal = (name: string): string => name.toLowerCase().replaceAll('-', '_')

/** The first piece begins the name, the last ends it, the others follow one another. */
function fits(name: string, pieces: readonly string[]): boolean {
  const first = pieces[0] ?? ''
  const last = pieces.at(-1) ?? ''
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false
  let at = first.length
  for (const piece of pieces.slice(1, -1)) {
    const found = name.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return at <= name.length - last.length
}
