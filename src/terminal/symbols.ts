/** What begins a line at a glance. */
export type Mark = 'ok' | 'fail' | 'open' | 'attention' | 'item'

/** The signs of our own that are not letters. */
export interface Symbols {
  readonly marks: Readonly<Record<Mark, string>>
  readonly arrow: string
  /** Around a heading. */
  readonly rule: string
  /** Between the parts of a line. */
  readonly dot: string
  /** Where something was cut off. */
  readonly ellipsis: string
}

export const fineSymbols: Symbols = {
  marks: { ok: '✓', fail: '✗', open: '○', attention: '!', item: '-' },
  arrow: '→',
  rule: '──',
  dot: '·',
  ellipsis: '…',
}

/** For `--no-emoji`: nothing but ASCII. */
export const plainSymbols: Symbols = {
  marks: { ok: '[ok]', fail: '[x]', open: '[ ]', attention: '[!]', item: '-' },
  arrow: '->',
  rule: '--',
  dot: '-',
  ellipsis: '...',
}
