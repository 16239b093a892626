/*
 * A word after expansion is a text in which these characters, that no text has, stand for what a shell puts there.
 * A text that has them all the same only looks like more than it is.
 */

/** `*`: any characters of one name. */
export const star = '\u{fdd0}'
/** `?` and `[…]`: one character. */
export const one = '\u{fdd1}'
/** What only running it would tell: any characters. */
export const unknown = '\u{fdd2}'

/** Instead of more words than anybody writes, among which a name could hide. */
export const tooMany = '\u{fdd6}'

const wild = /[\u{fdd0}-\u{fdd2}]/u

export const isWild = (text: string): boolean => wild.test(text)

/** Whether the shell would look for files with such a name. */
export const isGlob = (text: string): boolean => text.includes(star) || text.includes(one)

/** Whether two names can be the same one; at least one of them is plain. */
export function namesMatch(a: string, b: string): boolean {
  if (!isWild(a)) return isWild(b) ? namesMatch(b, a) : a === b
  // Nothing is known of it, so nothing is said about it.
  if (a === unknown || isWild(b)) return false
  if (b.startsWith('.') && (a.startsWith(star) || a.startsWith(one))) return false
  return matches(a, b)
}

/** As `find` compares a name, for which a dot in front is a character like any other. */
export function nameIsFound(pattern: string, name: string): boolean {
  return isWild(pattern) ? pattern !== unknown && matches(pattern, name) : pattern === name
}

/** Goes back only to the last star, so it takes at most the product of both lengths, one of which is short. */
function matches(pattern: string, name: string): boolean {
  let at = 0
  let inName = 0
  let retryAt = -1
  let retryInName = 0
  while (inName < name.length) {
    const char = pattern[at]
    if (char === star || char === unknown) {
      retryAt = ++at
      retryInName = inName
    } else if (char !== undefined && (char === one || char === name[inName])) {
      at++
      inName++
    } else if (retryAt !== -1) {
      at = retryAt
      inName = ++retryInName
    } else return false
  }
  while (pattern[at] === star || pattern[at] === unknown) at++
  return at === pattern.length
}
