/** What a placeholder stands for. A block always has lines of its own, wherever the template names it. */
export interface Placeholder {
  readonly value: string
  readonly block: boolean
}

export interface Expanded {
  readonly text: string
  /** The placeholders that the template used, in order. */
  readonly used: readonly string[]
}

const placeholderPattern = /\{\{ ?([A-Za-z_]{1,40}) ?\}\}/g

/**
 * Placeholders filled in, in one pass over the template: values are never looked at again, so a title that says
 * `{{rules}}` stays what it is, and so does a name that nobody knows.
 */
export function expandTemplate(template: string, placeholders: ReadonlyMap<string, Placeholder>): Expanded {
  const used: string[] = []
  const lines: string[] = []
  let isGap = false
  for (const line of template.split('\n')) {
    const filled = line.replaceAll(placeholderPattern, (written, name: string, at: number) => {
      const placeholder = placeholders.get(name)
      if (placeholder === undefined) return written
      used.push(name)
      if (!placeholder.block || placeholder.value === '') return placeholder.value
      return `${at === 0 ? '' : '\n'}${placeholder.value}${at + written.length === line.length ? '' : '\n'}`
    })
    const isBlank = filled.trim() === ''
    if (isBlank && line.trim() !== '') isGap = true
    // What was there and is nothing now leaves no line behind, and one of the blank lines around it.
    else if (!isBlank || !isGap || !isBlankLine(lines.at(-1))) lines.push(filled)
    if (!isBlank) isGap = false
  }
  return { text: lines.join('\n'), used }
}

const isBlankLine = (line: string | undefined): boolean => line === undefined || line.trim() === ''
