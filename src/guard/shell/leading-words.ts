/** Words after which a command begins. */
export const leadingWords: ReadonlySet<string> = new Set([
  'if',
  'then',
  'elif',
  'else',
  'while',
  'until',
  'do',
  '!',
  '{',
])
