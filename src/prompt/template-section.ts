/** The parts that a template can have for themselves: one for each mode, and one for runs without review. */
export type Section = 'implement' | 'review' | 'review-fix' | 'skip-review'

const sections: ReadonlySet<string> = new Set<Section>(['implement', 'review', 'review-fix', 'skip-review'])

/**
 * What a template says in this section. Markers are HTML comments that have a line for themselves:
 *
 *     <!-- mode: implement, skip-review -->   from here on for these only
 *     <!-- end -->                            from here on for all again
 *     <!-- note                               for people, up to a line that is only -->
 *
 * What is not exactly that is text: a mistyped marker shows too much, where hiding would lose what somebody wrote.
 */
export function templateSection(template: string, section: Section): string {
  const lines = template.replaceAll('\r\n', '\n').split('\n')
  const lastNoteEnd = lines.findLastIndex(endsNote)
  const kept: string[] = []
  let isOurs = true
  let isNote = false
  let isGap = false
  for (const [index, line] of lines.entries()) {
    const marker = isNote ? null : readMarker(line)
    const isText = marker === null || (marker === 'note' && index > lastNoteEnd)
    if (isNote) isNote = !endsNote(line)
    else if (!isText && marker === 'note') isNote = true
    else if (!isText) isOurs = marker === 'end' || marker.includes(section)
    else if (isOurs) {
      // What was left out leaves one of the blank lines around it.
      const isBlank = line.trim() === ''
      if (!isBlank || !isGap || (kept.at(-1) ?? '').trim() !== '') kept.push(line)
      if (!isBlank) isGap = false
      continue
    }
    isGap = true
  }
  return kept.join('\n').trim()
}

const endsNote = (line: string): boolean => line.trim() === '-->'

function readMarker(line: string): 'note' | 'end' | readonly string[] | null {
  const text = line.trim()
  if (text === '<!-- note') return 'note'
  if (!text.startsWith('<!--') || !text.endsWith('-->') || text.length < 7) return null
  const inside = text.slice(4, -3).trim()
  if (inside === 'end') return 'end'
  if (!inside.startsWith('mode:')) return null
  const names = inside
    .slice('mode:'.length)
    .split(',')
    .map((name) => name.trim())
  return names.every((name) => sections.has(name)) ? names : null
}
