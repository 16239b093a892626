/** One `key = value` or one `[table]` with all that is in it, as it stands in the text. */
export interface TomlStatement {
  /** The first part of its key or of the table's name: `model_providers` of `[model_providers.x]`. */
  readonly key: string
  readonly isTable: boolean
  readonly text: string
}

/**
 * What stands at the top of a TOML file, cut apart and not understood: enough to take over some of it unchanged. What is no
 * TOML comes out as something that its reader will refuse.
 */
export function tomlStatements(text: string): TomlStatement[] {
  const statements: TomlStatement[] = []
  for (const { start, end } of spans(text)) {
    const piece = text.slice(start, end)
    const table = statements.at(-1)
    if (piece.startsWith('['))
      statements.push({ key: firstPart(piece.replace(/^\[\[?/, '')), isTable: true, text: piece })
    // Below a table's name everything belongs to it.
    else if (table?.isTable === true) statements.splice(-1, 1, { ...table, text: `${table.text}\n${piece}` })
    else statements.push({ key: firstPart(piece), isTable: false, text: piece })
  }
  return statements
}

/** From the first sign of each statement to the end of its last line; comments between them are left out. */
function* spans(text: string): Generator<{ readonly start: number; readonly end: number }> {
  for (let at = 0; at < text.length;) {
    const start = afterSpace(text, at)
    if (text[start] === '#') {
      at = lineEnd(text, start)
      continue
    }
    if (start >= text.length) return
    const end = statementEnd(text, start)
    yield { start, end }
    at = end
  }
}

function afterSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && ' \t\r\n\u{feff}'.includes(text[at] ?? '')) at++
  return at
}

/** A value may go on over lines inside of brackets and of strings with three quotes. */
function statementEnd(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length;) {
    const sign = text[at] ?? ''
    if (sign === '\n' && depth <= 0) return at
    if (sign === '"' || sign === "'") {
      at = stringEnd(text, at)
      continue
    }
    if (sign === '#') {
      at = lineEnd(text, at)
      continue
    }
    if (sign === '[' || sign === '{') depth++
    else if (sign === ']' || sign === '}') depth--
    at++
  }
  return text.length
}

function stringEnd(text: string, from: number): number {
  const quote = text[from] ?? ''
  const isLong = text.startsWith(quote.repeat(3), from)
  const close = isLong ? quote.repeat(3) : quote
  for (let at = from + close.length; at < text.length; at++) {
    if (quote === '"' && text[at] === '\\') at++
    else if (!isLong && text[at] === '\n') return at
    else if (text.startsWith(close, at)) {
      at += close.length
      // Up to two quotes may stand before the last three.
      for (let more = isLong ? 2 : 0; more > 0 && text[at] === quote; more--) at++
      return at
    }
  }
  return text.length
}

function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at === -1 ? text.length : at
}

/** The name before the first dot, bare or in quotes. */
function firstPart(text: string): string {
  const [, , quoted, bare = ''] = /^\s*(?:(["'])(.*?)\1|([\w-]*))/.exec(text) ?? []
  return quoted ?? bare
}
