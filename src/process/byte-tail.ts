/** Keeps the last bytes of a stream, in memory bounded by twice the limit. */
export class ByteTail {
  readonly #limit: number
  #kept: Buffer[] = []
  #size = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  push(chunk: Buffer): void {
    // A view of the tail would keep the whole chunk alive; chunks of a pipe are at most 64 KiB, so that is accepted.
    this.#kept.push(chunk.length > this.#limit ? chunk.subarray(chunk.length - this.#limit) : chunk)
    this.#size += Math.min(chunk.length, this.#limit)
    // Compacting only at twice the limit keeps many small chunks linear.
    if (this.#size >= 2 * this.#limit || this.#kept.length >= 1024) this.#compact()
  }

  text(): string {
    this.#compact()
    return this.#kept[0]?.toString('utf8') ?? ''
  }

  #compact(): void {
    const all = Buffer.concat(this.#kept)
    const tail = all.length > this.#limit ? Buffer.from(all.subarray(all.length - this.#limit)) : all
    this.#kept = [tail]
    this.#size = tail.length
  }
}

export const stderrTailBytes = 64 * 1024
