/** A piece of a word, as far as it can be told without running anything. */
export type Part =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  | { readonly kind: 'variable'; readonly name: string; readonly quoted: boolean }
  /** `$(…)`; what it runs is among the steps too. */
  | { readonly kind: 'output'; readonly script: string; readonly quoted: boolean }
  /** `${x:-y}`, `$1`, `<(…)`: anything may come of it. */
  | { readonly kind: 'unknown' }

export type Word = readonly Part[]

/** What stands behind a command: whether the next one runs only after this one has succeeded. */
export type Joint = '&&' | '||' | ';' | '|' | '&'

/** One command with its words and redirections, whatever it is part of. */
export interface Command {
  readonly kind: 'command'
  readonly words: readonly Word[]
  /** The files that its redirections open for writing. */
  readonly writes: readonly Word[]
  /** Its here-documents and here-strings. */
  readonly documents: readonly Word[]
  readonly joint: Joint
}

/** `enter` and `leave` stand around what runs in a shell of its own: its `cd` and its variables end with it. */
export type Step = Command | { readonly kind: 'enter' } | { readonly kind: 'leave' }

export interface Script {
  readonly steps: readonly Step[]
  /** Why not all of it was read: it is longer or deeper than anything that somebody writes. */
  readonly unread: string | null
}
