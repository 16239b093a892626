/** A path that a call would change or read. */
export interface Touch {
  /** Absolute, or beginning with what is unknown; wildcards as in `shell/pattern.ts`. */
  readonly path: string
  readonly how: How
  /** It is not changed now: another name is made that leads to it. */
  readonly isLinked?: boolean
  /** Of a whole tree only these; absent: everything. */
  readonly only?: Selection
}

/**
 * - `read`: only its content is read; links are followed.
 * - `write`: its content; links are followed.
 * - `remove`: it goes away, with all that is in it; a link itself goes.
 * - `sweep`: everything in it changes.
 */
export type How = 'read' | 'write' | 'remove' | 'sweep'

/** What `find` looks for. */
export interface Selection {
  /** Wildcards as in `shell/pattern.ts`; none: every name. */
  readonly names: readonly string[]
  readonly maxDepth: number
}
