/** Beginning and end of an output; what lies between them is only counted. */
export interface Ends {
  readonly head: Buffer
  readonly tail: Buffer
  /** Of all of it. */
  readonly totalBytes: number
}

const lineFeed = Buffer.from('\n')

/** Keeps both ends of an output of any length, in memory that is fixed from the start. */
export class OutputEnds {
  readonly #head: Buffer
  /** A ring: the bytes before `#at` are newer than those behind it. */
  readonly #tail: Buffer
  #headLength = 0
  #tailLength = 0
  #at = 0
  #total = 0

  constructor(endBytes: number) {
    this.#head = Buffer.allocUnsafe(endBytes)
    this.#tail = Buffer.allocUnsafe(endBytes)
  }

  line(bytes: Buffer): void {
    this.#push(bytes)
    this.#push(lineFeed)
  }

  ends(): Ends {
    const tail = Buffer.alloc(this.#tailLength)
    const isFull = this.#tailLength === this.#tail.length
    const copied = isFull ? this.#tail.copy(tail, 0, this.#at) : 0
    this.#tail.copy(tail, copied, 0, this.#at)
    return { head: Buffer.from(this.#head.subarray(0, this.#headLength)), tail, totalBytes: this.#total }
  }

  #push(bytes: Buffer): void {
    this.#total += bytes.length
    const first = bytes.copy(this.#head, this.#headLength)
    this.#headLength += first
    // Of a long piece only the end can stay.
    let rest = bytes.subarray(Math.max(first, bytes.length - this.#tail.length))
    this.#tailLength = Math.min(this.#tailLength + rest.length, this.#tail.length)
    while (rest.length > 0) {
      const copied = rest.copy(this.#tail, this.#at)
      this.#at = (this.#at + copied) % this.#tail.length
      rest = rest.subarray(copied)
    }
  }
}
