/**
 * Text of an agent as a person may see it: everything that could move a cursor, hide or reorder text is written out
 * (`\u{1b}`). Stripping is not enough: strippers leave C1, CR, BS, bidi and tag characters behind.
 */
export function visible(text: string): string {
  return text.replaceAll(invisible(), (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
}

/** The same for one line: line breaks and tabs are written out too. */
export function visibleLine(text: string, maxLength = 200): string {
  // Escaping only makes longer, so no more than this is looked at, however long the text is.
  const line = visible(text.slice(0, maxLength + 1))
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** JSON that means the same and can be shown: a program reads it, but it may well be printed on a terminal. */
export function visibleJson(json: string): string {
  return json.replaceAll(invisible(), (character) =>
    Array.from({ length: character.length }, (_, unit) => escaped(character.charCodeAt(unit))).join(''),
  )
}

const escaped = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`

/**
 * All that nobody sees. Made when it is first needed: as a literal it takes half a millisecond of every start, and most
 * hooks have nothing to show.
 */
function invisible(): RegExp {
  expression ??= new RegExp(
    String.raw`[\0-\u{8}\u{b}-\u{1f}\u{7f}-\u{9f}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u{34f}\u{115f}\u{1160}\u{17b4}\u{17b5}\u{180b}-\u{180f}\u{2060}-\u{206f}\u{3164}\u{fe00}-\u{fe0d}\u{ffa0}\u{fff0}-\u{fff8}\u{e0000}-\u{e0fff}]`,
    'gu',
  )
  return expression
}
let expression: RegExp | undefined
