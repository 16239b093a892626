/** Why a child was ended, or that nobody ended it. The first reason wins. */
export type EndCause =
  /** By itself: look at exitCode and signal. */
  | 'exited'
  /** It ran longer than it may. */
  | 'timeout'
  /** It printed nothing for too long while nothing was expected to take time. */
  | 'silent'
  /** The caller's AbortSignal. */
  | 'aborted'

export interface LimitSpec {
  readonly timeoutMs?: number
  readonly silenceMs?: number
  readonly signal?: AbortSignal
}

/** Longer than this a timer fires at once; it is 24 days. */
const longestTimerMs = 2 ** 31 - 1

/** Watches one child and says once that, and why, it must end. */
export class ChildLimits {
  readonly #end: (cause: Exclude<EndCause, 'exited'>) => void
  readonly #signal: AbortSignal | undefined
  readonly #timeout: NodeJS.Timeout | undefined
  /** Undefined again after the stop: `refresh` could wake a timer that was cleared. */
  #silence: NodeJS.Timeout | undefined
  #silenceExpected = false
  #consumerBusy = false

  constructor(spec: LimitSpec, end: (cause: Exclude<EndCause, 'exited'>) => void) {
    this.#end = end
    this.#signal = spec.signal
    if (spec.timeoutMs !== undefined) this.#timeout = setTimeout(() => end('timeout'), clamp(spec.timeoutMs))
    if (spec.silenceMs !== undefined) this.#silence = setTimeout(() => this.#onSilence(), clamp(spec.silenceMs))
    spec.signal?.addEventListener('abort', this.#onAbort, { once: true })
    if (spec.signal?.aborted === true) this.#onAbort()
  }

  /** Output came. */
  heard(): void {
    this.#silence?.refresh()
  }

  /** While a tool call is open the agent may be silent; afterwards its time begins anew. */
  expectSilence(expected: boolean): void {
    this.#silenceExpected = expected
    this.#silence?.refresh()
  }

  /** While the consumer works we do not listen, so nothing heard means nothing. */
  consumerBusy(busy: boolean): void {
    this.#consumerBusy = busy
    this.#silence?.refresh()
  }

  isConsumerBusy(): boolean {
    return this.#consumerBusy
  }

  stop(): void {
    clearTimeout(this.#timeout)
    clearTimeout(this.#silence)
    this.#silence = undefined
    this.#signal?.removeEventListener('abort', this.#onAbort)
  }

  readonly #onAbort = (): void => this.#end('aborted')

  #onSilence(): void {
    if (this.#silenceExpected || this.#consumerBusy) this.#silence?.refresh()
    else this.#end('silent')
  }
}

const clamp = (ms: number): number => Math.min(ms, longestTimerMs)
