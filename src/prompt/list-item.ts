import { shorten } from './shorten.ts'

/** A label and a foreign text of any number of lines; the lines after the first are indented, so none poses as a label. */
export function listItem(label: string, text: string, maxChars: number): string {
  const lines = shorten(text, maxChars).text
  return lines.includes('\n') ? `${label}\n    ${lines.replaceAll('\n', '\n    ')}` : `${label} ${lines}`
}
