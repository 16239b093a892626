import { visibleLine } from '../base/visible.ts'

/** What somebody meant to fill in and did not. A story about "TODO items" is none. */
export function findPlaceholder(text: string): string | null {
  const found = placeholder.exec(text.slice(0, 5000))?.[0]
  return found === undefined ? null : visibleLine(found.trim(), 40)
}

const placeholder = /\{\{[^{}\n]{1,60}\}\}|\bTBD\b|\bFIXME\b|\bTODO:|^\s*TODO\s*$|\?{3}|\blorem ipsum\b/i
