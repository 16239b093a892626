/**
 * Text of an agent as a person may see it: everything that could move a cursor, hide or reorder text is written out
 * (`\u{1b}`). Stripping is not enough: strippers leave C1, CR, BS, bidi and tag characters behind.
 */
export function visible(text: string): string {
  return text.replaceAll(invisible, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
}

/** The same for one line: line breaks and tabs are written out too. */
export function visibleLine(text: string, maxLength = 200): string {
  // Escaping only makes longer, so no more than this is looked at, however long the text is.
  const line = visible(text.slice(0, maxLength + 1))
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

const invisible =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- these characters are what it is about
  /[\0-\u{8}\u{b}-\u{1f}\u{7f}-\u{9f}\u{ad}\u{34f}\u{61c}\u{115f}\u{1160}\u{17b4}\u{17b5}\u{180b}-\u{180f}\u{200b}-\u{200f}\u{2028}-\u{202e}\u{2060}-\u{206f}\u{3164}\u{d800}-\u{dfff}\u{fe00}-\u{fe0d}\u{feff}\u{ffa0}\u{fff0}-\u{fffb}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu
