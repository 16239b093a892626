/** The beginning of a text of several lines, where there is room for one. */
export function oneLine(text: string): string {
  const lines = text.slice(0, 2000).split('\n')
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' / ')
}
