const plain = /^[\w./:,+@-]+(?:[ \t]+[\w./:,+@-]+)*$/
const reserved = /^(?:if|then|elif|else|fi|do|done|case|esac|while|until|for|select|in|function|time|coproc)$/

/** The words of a command that has nothing in it but words; null: it takes a parser to tell them. */
export function plainWords(text: string): string[] | null {
  const command = text.length > 4096 ? '' : text.trim()
  if (!plain.test(command)) return null
  const words = command.split(/[ \t]+/)
  return reserved.test(words[0] ?? '') ? null : words
}
