/** Names in a message: the first ten and how many more, because an agent decides how many there are. */
export function someOf(names: readonly string[]): string {
  const more = names.length - 10
  return names.slice(0, 10).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
