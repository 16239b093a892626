/** From and to, both allowed. */
export type Bounds = readonly [min: number, max: number]

const hourMs = 3_600_000

/** Node's timers hold 24.8 days; a longer one would fire at once. */
const longestMs = 24 * 24 * hourMs

/** What each number may be. Beyond it nobody means what he wrote. */
export const bounds = {
  maxIterations: [1, 100_000],
  maxCostUsd: [0.01, 1_000_000],
  maxTokens: [1, 1_000_000_000_000],
  idleThreshold: [1, 1000],
  maxConsecutiveErrors: [1, 1000],
  reviewCap: [1, 100],
  outputTruncateChars: [100, 1_000_000],
  /** For limits and time-outs: none of them can be kept in no time. */
  durationMs: [1, longestMs],
  /** 0 means: do not wait. */
  waitMs: [0, longestMs],
} as const satisfies Record<string, Bounds>

export const isWithin = (value: number, [min, max]: Bounds): boolean => value >= min && value <= max
