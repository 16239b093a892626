/** How much of a tool's output can be of use to somebody who watches. */
export const maxOutputChars = 4096

/** Beginning and end of a text that is too long to be shown, and between them how much is missing. */
export function cutText(text: string, maxChars = maxOutputChars): string {
  if (text.length <= maxChars) return text
  const half = Math.floor(maxChars / 2)
  return detached(`${text.slice(0, half)}\n… ${text.length - 2 * half} characters left out …\n${text.slice(-half)}`)
}

/** The first line that says something, for a message. */
export function firstLine(text: string, maxChars = 300): string {
  const start = text.search(/\S/)
  if (start === -1) return ''
  const end = text.indexOf('\n', start)
  return detached(text.slice(start, Math.min(end === -1 ? text.length : end, start + maxChars)).trimEnd())
}

/** The last line that says something: where programs put the reason. */
export function lastLine(text: string): string {
  const trimmed = text.trimEnd()
  return firstLine(trimmed.slice(trimmed.lastIndexOf('\n') + 1))
}

/** Of what a program wrote before it died: the line that names the error, where one does; else none. */
export function errorLine(text: string): string {
  const line = text
    .split('\n')
    .find((candidate) => /^\s*(?:Uncaught )?[\w.]{0,60}(?:Error|Exception|fatal)\b[^:\n]{0,60}: /i.test(candidate))
  return line === undefined ? '' : firstLine(line)
}

/** A copy: a slice would keep the whole text that it was taken from in memory. */
export function detached(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le')
}
