import { expandBraces, openBrace, closeBrace, comma } from './expand-braces.ts'
import { one, star, tooMany, unknown } from './pattern.ts'
import type { Part, Word } from './script.ts'

/** What a word is made of besides its own text. */
export interface Expansion {
  /** The values that a variable may have here; none: it is not known. */
  readonly valuesOf: (name: string) => readonly string[]
  /** The same for what a script prints. */
  readonly outputsOf: (script: string) => readonly string[]
  readonly home: string
}

const maxTexts = 256
/** A few doublings of a variable make more text than there is memory. */
const maxValue = 4096
const maxText = 4_000_000
/** Longer ones are no names of files. */
const maxPattern = 16_384

/** The words that a word can become; `isSplit` for those that blanks in a variable's value take apart. */
export function expandWord(word: Word, expansion: Expansion, isSplit = true): string[] {
  let texts = ['']
  for (const [index, part] of word.entries()) {
    const ends = valuesOfPart(part, index === 0, expansion)
    if (texts.length * ends.length > maxTexts) texts = texts.map((text) => text + unknown)
    else texts = texts.flatMap((text) => ends.map((end) => text + end))
    if (texts.length * (texts[0]?.length ?? 0) > maxText) return [unknown]
  }
  const expanded = texts.flatMap(expandBraces)
  if (!isSplit || !word.some((part) => 'quoted' in part && part.kind !== 'text' && !part.quoted)) return expanded
  return expanded.flatMap((text) => text.split(/[ \t\n]+/)).filter((text) => text !== '')
}

function valuesOfPart(part: Part, isFirst: boolean, { valuesOf, outputsOf, home }: Expansion): readonly string[] {
  if (part.kind === 'unknown') return [unknown]
  if (part.kind === 'text') {
    if (part.quoted) return [part.text]
    const [found = '', name = '', tilde = ''] = (isFirst ? beforeTilde.exec(part.text) : null) ?? []
    const rest = withPatterns(part.text.slice(found.length))
    if (tilde === '') return [rest]
    return (tilde === '~' ? [home] : valuesOf('PWD')).map((start) => name + start + rest)
  }
  const values = part.kind === 'variable' ? valuesOf(part.name) : outputsOf(part.script)
  if (values.length === 0 || values.some((value) => value.length > maxValue)) return [unknown]
  return part.quoted ? values : values.map(withPatterns)
}

/** Also behind the name of what looks like an assignment: `of=~/x`. */
const beforeTilde = /^([A-Za-z_]\w*=|)(~\+?)(?=\/|$)/

const special = /[*?{},]|\[[^\]/\s]{1,30}\]/g

/** Unquoted text with its wildcards as such. */
export function withPatterns(text: string): string {
  if (text.length > maxPattern) return text.includes('{') ? tooMany : text
  return text.replaceAll(special, (found) => {
    if (found === '*') return star
    if (found === '{') return openBrace
    if (found === '}') return closeBrace
    return found === ',' ? comma : one
  })
}
