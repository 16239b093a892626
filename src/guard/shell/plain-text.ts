import type { Word } from './script.ts'

/** The text of a word that is nothing but unquoted text. */
export function plainText(word: Word | undefined): string | null {
  const [part, ...rest] = word ?? []
  return part?.kind === 'text' && !part.quoted && rest.length === 0 ? part.text : null
}
