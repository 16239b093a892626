/**
 * A prompt for agents that read every file whose name follows an at sign and put it behind the prompt as a word of the user's:
 * one in a quoted diff would let its author speak to the reviewer. A backslash before it keeps them from it, and they pass it on.
 */
export function withoutMentions(prompt: string): string {
  if (!prompt.includes('@')) return prompt
  const told = String.raw`In this prompt every at sign is written as \@; in files it stands without the backslash.`
  return `${told}\n\n${prompt.replaceAll('@', String.raw`\@`)}`
}
