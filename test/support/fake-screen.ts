import type { Screen } from '../../src/terminal/display.ts'

/** A screen that keeps what is written; time passes when the test says so. */
export interface FakeScreen extends Screen {
  readonly writes: string[]
  text(): string
  resize(columns: number): void
  tick(): void
  /** Timers that nobody has stopped. */
  timers(): number
}

export function fakeScreen({ isTerminal = true, columns = 80 } = {}): FakeScreen {
  const writes: string[] = []
  const ticks = new Set<() => void>()
  let width = columns
  return {
    writes,
    isTerminal,
    write: (text) => void writes.push(text),
    columns: () => width,
    every(_ms, tick) {
      ticks.add(tick)
      return () => void ticks.delete(tick)
    },
    text: () => writes.join(''),
    resize: (columns) => void (width = columns),
    tick: () => ticks.forEach((tick) => tick()),
    timers: () => ticks.size,
  }
}

/** A clock that stands until it is moved. */
export function fakeClock(nowMs = Date.UTC(2026, 10, 1, 2, 15, 0)) {
  let elapsed = 0
  return {
    now: () => nowMs + elapsed,
    elapsed: () => elapsed,
    pass: (ms: number) => void (elapsed += ms),
  }
}
