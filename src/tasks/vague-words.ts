/** Words that make a criterion undecidable, why, and what a criterion looks like that is not. */
interface VagueWords {
  readonly words: RegExp
  readonly why: string
  readonly better: string
  /** With a figure beside them they are fine: "fast" is vague, "faster than 200 ms" is not. */
  readonly unlessMeasured?: true
}

const vagueWords: readonly VagueWords[] = [
  {
    words:
      /\b(?:correctly|properly|as (?:expected|intended|desired|it should)|works? (?:well|fine|great|as before)|should work|everything works|it works)\b/i,
    why: 'does not say what happens',
    better: 'Filter dropdown has options: All, Active, Done',
  },
  {
    words:
      /(?<![/\w])etc\b(?!\/)|\b(?:and so (?:on|forth)|and (?:much )?more|and the like|and others|various)\b|, ?(?:\.{3}|…)/i,
    why: 'leaves the list open',
    better: 'The export has the columns id, name and total',
  },
  {
    words:
      /\b(?:appropriate(?:ly)?|suitabl[ey]|reasonabl[ey]|sensibl[ey]|adequate(?:ly)?|sufficient(?:ly)?|(?:if|as|where|when) (?:needed|necessary|applicable)|as required)\b/i,
    why: 'leaves the decision to whoever reads it',
    better: 'GET /items?page=0 answers 400 with {"error": "page"}',
  },
  {
    words:
      /\b(?:gracefully|robust(?:ly|ness)?|reliabl[ey]|(?:is|are) secure|securely|edge cases|handles? (?:all )?errors)\b/i,
    why: 'does not name the case',
    better: 'An empty file prints "nothing to import" and exits with 1',
  },
  {
    words:
      /\b(?:user.friendly|intuitive(?:ly)?|easy to (?:use|read|understand)|nice(?:ly)?|cleanly|clean (?:code|design|ui)|(?:is|are|looks?) clean|elegant(?:ly)?|beautiful(?:ly)?|modern|polished|seamless(?:ly)?|smoothly|(?:be|is|are|looks?) good|high.quality|best practices?)\b/i,
    why: 'is a matter of taste',
    better: 'An error is shown below its field, and what was typed stays',
  },
  {
    words:
      /\b(?:fast(?!-)|quickly|performant|efficient(?:ly)?|scalable|responsive(?:ly)?|lightweight|low latency|improved?|optimi[sz]ed?|enhanced?)\b/i,
    why: 'has no figure',
    better: 'A list of 10,000 items opens in under 200 ms',
    unlessMeasured: true,
  },
  {
    words: /\b(?:if possible|ideally|preferably|maybe|perhaps|nice to have)\b/i,
    why: 'does not say whether it has to be',
    better: 'Deleting asks "Delete 3 items?" first',
  },
  {
    words:
      /^(?:the |this )?(?:feature|story|task|functionality|code|work|everything)(?: is| has been)? (?:fully |completely )?(?:implemented|done|complete|completed|finished|working|written)\W*$/i,
    why: 'only repeats that the story is to be done',
    better: 'POST /orders with an empty cart answers 422',
  },
]

/** The first vague words of a criterion. Quoted text is what a program prints and means itself. */
export function findVagueWords(criterion: string): { readonly found: string; readonly words: VagueWords } | null {
  const text = criterion.slice(0, 2000).replaceAll(/`[^`]*`|"[^"]*"|“[^”]*”/g, '""')
  const isMeasured = /\d/.test(text)
  for (const words of vagueWords) {
    const found = words.words.exec(text)?.[0]
    if (found !== undefined && !(isMeasured && words.unlessMeasured === true)) return { found: found.trim(), words }
  }
  return null
}
