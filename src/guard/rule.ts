import type { Category } from './category.ts'
import type { Place } from './place.ts'
import type { Ran } from './shell/trace.ts'
import type { Touch } from './touch.ts'

/** One thing that does not happen inside a loop. */
export interface Rule {
  /** Stable: the settings (`guard.allow`) and `ralph guard` say it. */
  readonly name: string
  readonly category: Category
  /** One sentence, for the model that was denied. */
  readonly why: string
  /** What it can do instead; one sentence. */
  readonly instead: string
  /** What nobody changes. */
  readonly guarded?: (place: Place) => readonly Guarded[]
  /** Reading that is denied too. */
  readonly isUnread?: true
  /** The same for paths that no list names: what a touch would do that it must not, or null: "would …". */
  readonly forbidsTouch?: (touch: Touch, place: Place) => string | null
  /**
   * The programs that it speaks of, by name, with blanks between them; `a*` are all that begin so, `=` is whatever has
   * variables set for it, `npm/publish` is a program of `worded` with that word, `npm/:` with an address. `forbids` is asked only about commands that are, run, are run by or are fed by one of them, and
   * `forbidsTogether` only about scripts with such a command. Without: about everything.
   */
  readonly programs?: string
  /** What a command would do that it must not, or null: "would …". */
  readonly forbids?: (command: Ran, place: Place) => string | null
  /** The same for what only all commands of a script do together. */
  readonly forbidsTogether?: (commands: readonly Ran[], place: Place) => string | null
}

export interface Guarded {
  /** Absolute; a directory stands for all that is in it. */
  readonly path: string
  /** Only the path itself, not what is in it. */
  readonly isExact?: boolean
}
