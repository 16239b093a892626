/** Something that is valid but will make a loop worse than it could be: which story, what, and what to do about it. */
export interface Advice {
  readonly rule: AdviceRule
  /** Null where it is about the list or the requirements as a whole. */
  readonly story: string | null
  readonly what: string
  readonly fix: string
}

export type AdviceRule =
  /** More than one context can hold: criteria, sentences, or things joined by "and". */
  | 'too-big'
  /** A criterion that two people would judge differently. */
  | 'vague'
  /** Nobody has filled this in: a blank, or a mark of the template. */
  | 'unwritten'
  /** The same title or criterion stands somewhere else, too. */
  | 'repeated'
  /** Nothing is run, or what is run cannot say no or does not end. */
  | 'check'
  /** What others build on comes after them. */
  | 'order'
  /** Work is recorded that nobody has done yet. */
  | 'not-fresh'
  /** The work would be done on a branch that people share. */
  | 'branch'
  /** The iterations will not do. */
  | 'iterations'
