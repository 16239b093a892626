import { visible } from './visible.ts'

/** A path as a word of a command that a person is to copy. */
export function shellQuote(word: string): string {
  const shown = visible(word)
  return /^[\w./@%+=:,-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", String.raw`'\''`)}'`
}
