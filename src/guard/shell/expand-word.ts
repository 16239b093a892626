import type { Word, WordPart, ParameterExpansionPart } from 'unbash'
import { unreachable } from '../../base/unreachable.ts'
import { expandBraces, openBrace, closeBrace, comma } from './expand-braces.ts'
import { one, star, tooMany, unknown } from './pattern.ts'
import { changedValue } from './changed-value.ts'

/** What a word is made of besides its own text. */
export interface Expansion {
  /** The values that a variable may have here; none: it is not known. */
  readonly valuesOf: (name: string) => readonly string[]
  /** The words that `$@` and `${a[@]}` stand for; null: not known. */
  readonly listOf: (name: string) => readonly string[] | null
  /** The same for what `$(…)` prints; runs through it. */
  readonly outputsOf: (part: WordPart) => readonly string[]
  /** Whatever else in a part runs something. */
  readonly look: (part: WordPart) => void
  readonly home: string
}

const maxTexts = 256
/** A few doublings of a variable make more text than there is memory. */
const maxValue = 4096
const maxText = 4_000_000
/** Longer ones are no names of files. */
const maxPattern = 16_384
/** Stands between two words that one part has become. */
const between = '\u{fdd7}'
const separator = /\u{fdd7}/u

/** Each of the lists of words that a word can become: several where a variable has several values. */
export function expandWord(word: Word, expansion: Expansion): string[][] {
  const parts = word.parts
  if (parts === undefined) {
    const text = unquoted(word.text, true, expansion)
    return [expandBraces(text).map(clean)]
  }
  let isSplit = false
  let texts = ['']
  for (const [index, part] of parts.entries()) {
    if (part.type === 'SimpleExpansion' || part.type === 'ParameterExpansion' || part.type === 'CommandExpansion') {
      isSplit = true
    }
    texts = joined(texts, valuesOfPart(part, index === 0, expansion))
    if (texts.length * (texts[0]?.length ?? 0) > maxText) return [[unknown]]
  }
  const blanks = isSplit ? blanksIn(expansion) : null
  return texts.map((text) => {
    const words = expandBraces(text)
    return words.flatMap((found) => found.split(separator).flatMap((piece) => splitAt(piece, blanks))).map(clean)
  })
}

/** As one text each: where the shell takes no word apart. */
export function expandText(word: Word, expansion: Expansion): string[] {
  const parts = word.parts
  if (parts === undefined) return [withoutMarks(unquoted(word.text, true, expansion))]
  return partsText(parts, expansion)
}

/** The same for the text of a here-document. */
export function partsText(parts: readonly WordPart[], expansion: Expansion): string[] {
  let texts = ['']
  for (const [index, part] of parts.entries()) {
    texts = joined(texts, valuesOfPart(part, index === 0, expansion))
    if (texts.length * (texts[0]?.length ?? 0) > maxText) return [unknown]
  }
  return texts.map(withoutMarks)
}

const withoutMarks = (text: string): string =>
  clean(text.replaceAll(openBrace, '{').replaceAll(closeBrace, '}').replaceAll(comma, ',').replaceAll(between, ' '))

function joined(texts: readonly string[], ends: readonly string[]): string[] {
  if (texts.length * ends.length > maxTexts) return texts.map((text) => text + unknown)
  return texts.flatMap((text) => ends.map((end) => text + end))
}

function splitAt(text: string, blanks: RegExp | null): string[] {
  return blanks === null ? [text] : text.split(blanks).filter((piece) => piece !== '')
}

/** Quoted blanks, and quotes around nothing, are marked until the word has been taken apart. */
const marks: Readonly<Record<string, string>> = { ' ': '\u{fdd8}', '\t': '\u{fdd9}', '\n': '\u{fdda}' }
const nothing = '\u{fddb}'
const blankOf: Readonly<Record<string, string>> = { '\u{fdd8}': ' ', '\u{fdd9}': '\t', '\u{fdda}': '\n' }

const keepBlanks = (text: string): string => text.replaceAll(/[ \t\n]/g, (blank) => marks[blank] ?? '') || nothing

const clean = (text: string): string =>
  /[\u{fdd8}-\u{fddb}]/u.test(text) ? text.replaceAll(/[\u{fdd8}-\u{fddb}]/gu, (mark) => blankOf[mark] ?? '') : text

function blanksIn({ valuesOf }: Expansion): RegExp {
  const [ifs = ' \t\n'] = valuesOf('IFS')
  if (ifs === ' \t\n' || ifs === '' || ifs.includes(unknown)) return /[ \t\n]+/
  return new RegExp(`[${ifs.slice(0, 16).replaceAll(/[\\\]^-]/g, String.raw`\$&`)}]+`)
}

function valuesOfPart(part: WordPart, isFirst: boolean, expansion: Expansion): readonly string[] {
  switch (part.type) {
    case 'Literal':
      return [unquoted(part.text, isFirst, expansion)]
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [keepBlanks(part.value)]
    case 'DoubleQuoted':
    case 'LocaleString': {
      let texts = ['']
      for (const child of part.parts) {
        const ends = child.type === 'Literal' ? [child.value] : valuesOfExpansion(child, expansion)
        texts = joined(texts, ends)
      }
      return texts.map(keepBlanks)
    }
    case 'Glob':
      return [part.kind === 'star' ? star : one]
    case 'ExtendedGlob':
      expansion.look(part)
      return [star]
    case 'BraceExpansion': {
      if (part.parts === undefined) return [withPatterns(part.text)]
      let texts: string[] = [openBrace]
      for (const child of part.parts) texts = joined(texts, valuesOfPart(child, false, expansion))
      return texts.map((text) => text + closeBrace)
    }
    case 'ProcessSubstitution':
      expansion.outputsOf(part)
      return [unknown]
    case 'SimpleExpansion':
    case 'ParameterExpansion':
    case 'CommandExpansion':
    case 'ArithmeticExpansion':
      return valuesOfExpansion(part, expansion).map(withPatterns)
    default:
      return unreachable(part)
  }
}

function valuesOfExpansion(part: WordPart, expansion: Expansion): readonly string[] {
  let values: readonly string[]
  if (part.type === 'SimpleExpansion') values = valuesOfName(part.text.slice(1), expansion)
  else if (part.type === 'ParameterExpansion') values = valuesOfParameter(part, expansion)
  else if (part.type === 'CommandExpansion') values = expansion.outputsOf(part)
  else {
    expansion.look(part)
    return [unknown]
  }
  return values.length === 0 || values.some((value) => value.length > maxValue) ? [unknown] : values
}

function valuesOfName(name: string, { valuesOf, listOf }: Expansion): readonly string[] {
  if (name === '@' || name === '*') {
    const list = listOf('@')
    return list === null ? [] : [list.join(between)]
  }
  return valuesOf(name)
}

function valuesOfParameter(part: ParameterExpansionPart, expansion: Expansion): readonly string[] {
  const { parameter, prefix, index, operation } = part
  expansion.look(part)
  if (prefix === '#') return [unknown]
  let values: readonly string[]
  if (index === undefined) values = valuesOfName(parameter, expansion)
  else {
    const list = expansion.listOf(parameter)
    if (index.text === '@' || index.text === '*') values = list === null ? [] : [list.join(between)]
    else values = (list ?? []).slice(Number(index.text) || 0).slice(0, 1)
  }
  if (prefix === '!') values = values.flatMap(expansion.valuesOf)
  if (operation === undefined) return values
  if (operation.type === 'Default') {
    const others = expandText(operation.operand, expansion)
    if (operation.operator.includes('?')) return values
    if (operation.operator.includes('+')) return values.length === 0 ? [...others, ''] : others
    // Whether it is set, nobody knows where its value is not known.
    return values.length === 0 || values.includes(unknown)
      ? [...others, unknown]
      : values.map((value) => value || (others[0] ?? ''))
  }
  return values.map((value) => changedValue(value, operation, (word) => expandText(word, expansion)[0] ?? ''))
}

/** Also behind the name of what looks like an assignment: `of=~/x`. */
const beforeTilde = /^([A-Za-z_]\w*=|)(~(?:\+|[a-z_][\w-]*)?)(?=\/|$)/
const escape = /\\([^])/g

const homeOf = (user: string): string => (user === 'root' ? '/root' : `/home/${user}`)

/** Text outside of quotes: escapes resolved, wildcards and braces as such. */
function unquoted(text: string, isFirst: boolean, { home, valuesOf }: Expansion): string {
  const [found = '', name = '', tilde = ''] = (isFirst ? beforeTilde.exec(text) : null) ?? []
  const rest = text.slice(found.length)
  const start =
    tilde === ''
      ? name
      : name + (tilde === '~' ? home : tilde === '~+' ? (valuesOf('PWD')[0] ?? unknown) : homeOf(tilde.slice(1)))
  if (!rest.includes('\\')) return start + withPatterns(rest)
  let at = 0
  const pieces: string[] = [start]
  for (const match of rest.matchAll(escape)) {
    pieces.push(withPatterns(rest.slice(at, match.index)))
    const char = match[1] ?? ''
    if (char !== '\n') pieces.push(keepBlanks(char))
    at = match.index + match[0].length
  }
  pieces.push(withPatterns(rest.slice(at)))
  return pieces.join('')
}

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
