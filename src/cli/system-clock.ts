import type { Clock } from '../base/clock.ts'

export const systemClock: Clock = { now: () => Date.now(), elapsed: () => performance.now() }
