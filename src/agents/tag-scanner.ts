import { detached } from './cut-text.ts'

/** Longer contents are no answer that anybody waits for, and would make memory grow. */
const maxContentChars = 1000
const maxFound = 1000
const lessThan = 0x3c

/**
 * The contents of every `<name>…</name>` in a text that comes in pieces, however it is cut: as `findTags` on the whole
 * text, but in one pass and with bounded memory.
 */
export class TagScanner {
  readonly found: string[] = []
  readonly #open: string
  readonly #close: string
  readonly #ignoreCase: boolean
  /** What stands behind the last opening tag so far; null outside of one. */
  #content: string | null = null
  /** The end of the last piece, where it may be the beginning of a tag. */
  #pending = ''

  constructor(name: string, options: { readonly ignoreCase: boolean }) {
    this.#open = `<${name}>`
    this.#close = `</${name}>`
    this.#ignoreCase = options.ignoreCase
  }

  push(piece: string): void {
    const text = this.#pending + piece
    this.#pending = ''
    let from = 0
    for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', Math.max(at + 1, from))) {
      // Hostile text is made of these; no tag begins with two.
      if (text.charCodeAt(at + 1) === lessThan) continue
      if (this.#isAt(text, at, this.#close)) {
        this.#append(text.slice(from, at))
        this.#finish()
        from = at + this.#close.length
      } else if (this.#isAt(text, at, this.#open)) {
        this.#content = ''
        from = at + this.#open.length
      } else if (this.#mayBegin(text, at)) {
        this.#append(text.slice(from, at))
        this.#pending = text.slice(at)
        return
      }
    }
    this.#append(text.slice(from))
  }

  #isAt(text: string, at: number, tag: string): boolean {
    if (!this.#ignoreCase) return text.startsWith(tag, at)
    return this.#same(text.slice(at, at + tag.length), tag)
  }

  #mayBegin(text: string, at: number): boolean {
    const length = text.length - at
    if (length >= this.#close.length) return false
    const rest = text.slice(at)
    return this.#same(rest, this.#close.slice(0, length)) || this.#same(rest, this.#open.slice(0, length))
  }

  #same(text: string, tag: string): boolean {
    return text === tag || (this.#ignoreCase && text.toLowerCase() === tag)
  }

  #append(piece: string): void {
    if (this.#content === null) return
    this.#content = this.#content.length + piece.length > maxContentChars ? null : this.#content + piece
  }

  #finish(): void {
    if (this.#content !== null && this.found.length < maxFound) this.found.push(detached(this.#content).trim())
    this.#content = null
  }
}
