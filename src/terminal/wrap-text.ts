import { characterWidth, textWidth } from './text-width.ts'

/** The text in lines of at most this width: broken at spaces, inside a word only if the word is longer than a line. */
export function wrapText(text: string, width: number): string[] {
  if (textWidth(text) <= width) return [text]
  const lines: string[] = []
  let line = ''
  let used = 0
  let previous = 0
  /** Where the last word of the line begins, and how wide the line is before it; 0 while there is only one. */
  let word = { at: 0, used: 0 }
  for (const character of text) {
    previous = characterWidth(character, previous)
    if (used + previous > width && line !== '') {
      const isBetweenWords = character === ' ' || word.at === 0
      lines.push(trimmed(isBetweenWords ? line : line.slice(0, word.at)))
      line = isBetweenWords ? '' : line.slice(word.at)
      used = isBetweenWords ? 0 : used - word.used
      word = { at: 0, used: 0 }
    }
    // A line that goes on begins with ink.
    if (character === ' ' && line === '' && lines.length > 0) continue
    line += character
    used += previous
    if (character === ' ' && line.trim() !== '') word = { at: line.length, used }
  }
  return line === '' ? lines : [...lines, trimmed(line)]
}

/** Without the spaces at its end; other blanks may mean something to whoever wrote them. */
function trimmed(line: string): string {
  let end = line.length
  while (line[end - 1] === ' ') end--
  return line.slice(0, end)
}
