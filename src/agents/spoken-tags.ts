import { TagScanner } from './tag-scanner.ts'

/** The tags in what the assistant says. Only its own words may come in here: no tool output, no prompt. */
export class SpokenTags {
  readonly #promise = new TagScanner('promise', { ignoreCase: false })
  readonly #response = new TagScanner('response', { ignoreCase: true })

  push(text: string): void {
    this.#promise.push(text)
    this.#response.push(text)
  }

  get promises(): readonly string[] {
    return this.#promise.found
  }

  get responses(): readonly string[] {
    return this.#response.found
  }
}
