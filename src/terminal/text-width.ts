/**
 * How many columns a text takes on a terminal; it has to be visible text already. Where terminals disagree it is the
 * larger number: a line that is a little short is never wrong, a wrapped one is.
 */
export function textWidth(text: string): number {
  if (narrow.test(text)) return text.length
  let width = 0
  let previous = 0
  for (const character of text) {
    previous = characterWidth(character, previous)
    width += previous
  }
  return width
}

/** The text if it fits, else as much of it as leaves room for the sign that something is missing. */
export function cutToWidth(text: string, width: number, ellipsis = '…'): string {
  if (textWidth(text) <= width) return text
  if (width < ellipsis.length) return ''
  let kept = ''
  let used = 0
  let previous = 0
  for (const character of text) {
    previous = characterWidth(character, previous)
    if (used + previous > width - ellipsis.length) break
    used += previous
    kept += character
  }
  return kept + ellipsis
}

/** `previous` is the width of the character before, which an emoji selector may make wide; 0 if nobody knows it. */
export function characterWidth(character: string, previous: number): number {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x300) return 1
  if (code === 0xfe_0f) return previous === 2 ? 0 : 1
  if (zeroWidth.test(character)) return 0
  return wideRanges.some(([from, to]) => code >= from && code <= to) || emoji.test(character) ? 2 : 1
}

const narrow = /^[ -~]*$/
const zeroWidth = /^[\p{Mn}\p{Me}]$/u
const emoji = /^\p{Emoji_Presentation}$/u

/** East Asian Width W and F, joined over the gaps where nothing narrow lies. */
const wideRanges: readonly (readonly [number, number])[] = [
  [0x11_00, 0x11_5f],
  [0x23_29, 0x23_2a],
  [0x26_30, 0x26_37],
  [0x26_8a, 0x26_8f],
  [0x2e_80, 0x30_3e],
  [0x30_41, 0xa4_cf],
  [0xa9_60, 0xa9_7f],
  [0xac_00, 0xd7_a3],
  [0xf9_00, 0xfa_ff],
  [0xfe_10, 0xfe_19],
  [0xfe_30, 0xfe_6f],
  [0xff_01, 0xff_60],
  [0xff_e0, 0xff_e6],
  [0x1_6f_e0, 0x1_b2_ff],
  [0x1_d3_00, 0x1_d3_7f],
  [0x1_f2_00, 0x1_f2_ff],
  [0x1_f3_00, 0x1_f6_ff],
  [0x1_f7_e0, 0x1_f7_ff],
  [0x1_f9_00, 0x1_fa_ff],
  [0x2_00_00, 0x3_ff_fd],
]
