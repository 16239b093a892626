/** Programs that are called all the time, so rules say of which words of theirs they speak too. */
export const worded = 'npm pnpm yarn bun git docker'

/** A program with one of these words; `npm/` alone is a call with too many words to look at each. */
export const withWords = (program: string, words: readonly string[]): string =>
  ['', ...words].map((word) => `${program}/${word}`).join(' ')

/** Whether a name is one of these, which have blanks between them; `a*` are all that begin so. */
export function isAmong(programs: string, name: string): boolean {
  const list = ` ${programs} `
  if (list.includes(` ${name} `)) return true
  for (let end = list.indexOf('* '); end !== -1; end = list.indexOf('* ', end + 1)) {
    if (name.startsWith(list.slice(list.lastIndexOf(' ', end) + 1, end))) return true
  }
  return false
}
