const words = '[redacted]'
const marker = Buffer.from(words)
const nothing = Buffer.alloc(0)

/**
 * Takes the values of keys out of a stream, also where one is cut in two by the pipe. Only what may be the beginning of a
 * key is held back, so a whole line is never late.
 */
export class Redactor {
  /** Longest first, so that the longer of two that begin at one place wins. */
  readonly #secrets: readonly Buffer[]
  #held: Buffer = nothing

  constructor(secrets: readonly string[]) {
    this.#secrets = longestFirst(secrets).map((form) => Buffer.from(form))
  }

  /** What can be passed on now; the chunk itself where there is nothing to hide. */
  push(chunk: Buffer): Buffer {
    if (this.#secrets.length === 0) return chunk
    const data = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    const { pieces, end } = this.#replace(data)
    const rest = data.subarray(end)
    const keep = this.#beginsAt(rest)
    // A copy, because a view would keep the whole chunk alive.
    this.#held = keep === rest.length ? nothing : Buffer.from(rest.subarray(keep))
    if (pieces.length === 0) return rest.subarray(0, keep)
    return Buffer.concat([...pieces, rest.subarray(0, keep)])
  }

  /** What was held back and turned out to be nothing. */
  end(): Buffer {
    const held = this.#held
    this.#held = nothing
    return held
  }

  /** Everything up to the end of the last key, with markers instead of keys. */
  #replace(data: Buffer): { pieces: Buffer[]; end: number } {
    const pieces: Buffer[] = []
    const next = this.#secrets.map((secret) => data.indexOf(secret))
    for (let end = 0; ;) {
      let first = -1
      for (const [index, at] of next.entries()) {
        if (at !== -1 && (first === -1 || at < (next[first] ?? 0))) first = index
      }
      const at = next[first]
      if (at === undefined) return { pieces, end }
      pieces.push(data.subarray(end, at), marker)
      end = at + (this.#secrets[first]?.length ?? 0)
      for (const [index, secret] of this.#secrets.entries()) {
        if ((next[index] ?? -1) !== -1 && (next[index] ?? 0) < end) next[index] = data.indexOf(secret, end)
      }
    }
  }

  /** Where the first key may begin whose end has not come; the length if none does. */
  #beginsAt(data: Buffer): number {
    let begin = data.length
    for (const secret of this.#secrets) {
      const first = secret[0] ?? 0
      for (let at = data.indexOf(first, Math.max(0, data.length - secret.length + 1)); at !== -1 && at < begin;) {
        if (secret.subarray(0, data.length - at).equals(data.subarray(at))) begin = at
        else at = data.indexOf(first, at + 1)
      }
    }
    return begin
  }
}

/** The same for a text that is all there: a prompt, a line of the journal, what is shown. */
export function redactText(secrets: readonly string[]): (text: string) => string {
  const forms = longestFirst(secrets)
  return (text) => forms.reduce((left, form) => left.replaceAll(form, words), text)
}

const longestFirst = (secrets: readonly string[]): string[] =>
  [...new Set(secrets.flatMap(formsOf))].toSorted((a, b) => Buffer.byteLength(b) - Buffer.byteLength(a))

/** As it is, in JSON, in an address, and in base64 as far as its end does not depend on what follows. */
function formsOf(secret: string): string[] {
  const base64 = Buffer.from(secret).toString('base64')
  const whole = base64.slice(0, Math.floor(Buffer.byteLength(secret) / 3) * 4)
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(Buffer.from(secret).toString()),
    whole,
  ].filter((form) => form !== '')
}
