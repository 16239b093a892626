import { tooMany, unknown } from './pattern.ts'

/** Braces and commas that stand outside of quotes, until it is known whether they make words. */
export const openBrace = '\u{fdd3}'
export const closeBrace = '\u{fdd4}'
export const comma = '\u{fdd5}'

const maxWords = 256

/** `a{b,c}` is two words. What is too much of it is `tooMany`, what is none of it is itself again. */
export function expandBraces(text: string): string[] {
  if (!text.includes(openBrace)) return [plain(text)]
  let words = [text]
  for (let round = 0; round < maxWords; round++) {
    const next = words.flatMap(expandOne)
    if (next.length > maxWords) break
    if (next.length === words.length && next.every((word, index) => word === words[index])) return next.map(plain)
    words = next
  }
  return [tooMany]
}

/** The innermost pair is the first closing brace and the last opening one before it. */
function expandOne(text: string): string[] {
  const end = text.indexOf(closeBrace)
  const start = text.lastIndexOf(openBrace, end === -1 ? 0 : end)
  if (end === -1 || start === -1) return [text]
  const before = text.slice(0, start)
  const inside = text.slice(start + 1, end)
  const after = text.slice(end + 1)
  if (inside.includes(comma)) {
    return inside.split(comma, maxWords + 1).map((part) => before + part + after)
  }
  // `{1..9}` counts; anything else in braces is itself.
  return [before + (/^\w+\.\.\w+(?:\.\.\w+)?$/.test(inside) ? unknown : `{${inside}}`) + after]
}

const plain = (text: string): string =>
  text.replaceAll(openBrace, '{').replaceAll(closeBrace, '}').replaceAll(comma, ',')
