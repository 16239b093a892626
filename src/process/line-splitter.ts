/** One line of a stream without its line end. */
export interface Line {
  /** As they came; a view that keeps its chunk alive, so copy what you keep. Decode with `bytes.toString()`. */
  readonly bytes: Buffer
  /** How much of the line was longer than the cap and is gone; 0 for nearly all. */
  readonly droppedBytes: number
}

const lf = 0x0a
const cr = 0x0d
const bom = Buffer.from([0xef, 0xbb, 0xbf])
const smallestPartial = 4096
const largestDoubled = 1024 * 1024

const defaultMaxLineBytes = 16 * 1024 * 1024

/**
 * Splits on `\n` bytes and nothing else: `readline` takes U+2028 for a line end in newer Nodes, and text decoded by the
 * chunk breaks characters. Linear in the input however it is cut, and never holds more than one capped line.
 */
export class LineSplitter {
  readonly #maxLineBytes: number
  /** The beginning of the stream while it may still turn out to be a byte order mark. */
  #start: Buffer | null = Buffer.alloc(0)
  /** A line whose end has not come, in a buffer that doubles: a list of chunks would cost 100 bytes for each of one byte. */
  #partial: Buffer = Buffer.alloc(0)
  #partialLength = 0
  #dropped = 0
  #endsWithCr = false

  constructor(maxLineBytes: number = defaultMaxLineBytes) {
    this.#maxLineBytes = maxLineBytes
  }

  /** The lines that this chunk completes. Must be iterated to its end before the next call; the chunk must stay as it is. */
  *push(chunk: Buffer): Generator<Line, void, void> {
    const data = this.#start === null ? chunk : this.#withoutBom(chunk)
    let from = 0
    for (;;) {
      const end = data.indexOf(lf, from)
      if (end === -1) break
      if (this.#partialLength === 0 && this.#dropped === 0 && end - from <= this.#maxLineBytes) {
        const last = end > from && data[end - 1] === cr ? end - 1 : end
        yield { bytes: data.subarray(from, last), droppedBytes: 0 }
      } else {
        this.#append(data.subarray(from, end), true)
        yield this.#takePartial()
      }
      from = end + 1
    }
    if (from < data.length) this.#append(data.subarray(from), false)
  }

  /** The last line, if the stream did not end with a line end. */
  end(): Line | null {
    const start = this.#start
    this.#start = null
    if (start !== null) this.#append(start, true)
    return this.#partialLength > 0 || this.#dropped > 0 ? this.#takePartial() : null
  }

  #withoutBom(chunk: Buffer): Buffer {
    const data = Buffer.concat([this.#start ?? Buffer.alloc(0), chunk])
    if (data.length < bom.length && bom.subarray(0, data.length).equals(data)) {
      this.#start = data
      return Buffer.alloc(0)
    }
    this.#start = null
    return data.subarray(0, bom.length).equals(bom) ? data.subarray(bom.length) : data
  }

  #append(piece: Buffer, isLast: boolean): void {
    if (piece.length === 0) return
    this.#endsWithCr = piece.at(-1) === cr
    const room = Math.min(piece.length, this.#maxLineBytes - this.#partialLength)
    this.#dropped += piece.length - room
    const needed = this.#partialLength + room
    if (this.#partialLength === 0) {
      // The first piece is only referred to: most lines are whole with the next one, and then copied once.
      this.#partial = piece.subarray(0, room)
      this.#partialLength = room
      return
    }
    if (needed > this.#partial.length) {
      const larger = Buffer.allocUnsafe(isLast ? needed : this.#capacityFor(needed))
      this.#partial.copy(larger, 0, 0, this.#partialLength)
      this.#partial = larger
    }
    piece.copy(this.#partial, this.#partialLength, 0, room)
    this.#partialLength = needed
  }

  /** Doubles, then takes all at once: memory that is not written to costs nothing, the copies on the way there would. */
  #capacityFor(needed: number): number {
    if (needed > largestDoubled) return this.#maxLineBytes
    return Math.min(Math.max(2 * needed, smallestPartial), this.#maxLineBytes)
  }

  /** The buffer goes with the line, so that a consumer may hold it; the next partial line gets a new one. */
  #takePartial(): Line {
    let length = this.#partialLength
    let droppedBytes = this.#dropped
    if (this.#endsWithCr) {
      if (droppedBytes > 0) droppedBytes--
      else length--
    }
    const bytes = this.#partial.subarray(0, length)
    this.#partial = Buffer.alloc(0)
    this.#partialLength = 0
    this.#dropped = 0
    this.#endsWithCr = false
    return { bytes, droppedBytes }
  }
}
