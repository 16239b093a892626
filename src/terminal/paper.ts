import type { Line } from './line.ts'

/** Where lines end up; a terminal has a status line below them. */
export interface Paper {
  /** `time` is when it happened, ISO or ms since the epoch; `status` is what stands below the lines from then on. */
  print(lines: readonly Line[], time: string | number, status: string | null): void
  /** null takes it away. */
  status(text: string | null): void
}
