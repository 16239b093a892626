/** Longer lines are shown in pieces. */
const maxHeldChars = 8192

/** Words that come in pieces, made into whole lines for whoever watches. */
export class DeltaText {
  #held = ''

  /** What can be shown now; '' if the line is not over yet. */
  push(piece: string): string {
    const text = this.#held + piece
    const end = text.length > maxHeldChars ? text.length : text.lastIndexOf('\n')
    if (end === -1) {
      this.#held = text
      return ''
    }
    this.#held = text.slice(end + 1)
    return text.slice(0, end)
  }

  /** The rest: something else has come. */
  take(): string {
    const text = this.#held
    this.#held = ''
    return text
  }
}
