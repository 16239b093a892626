/** One line of the table: what was measured beside its floor, in the same interleaved run. */
export interface Row {
  readonly name: string
  /** The measured value and the floor, with units, as people read them. */
  readonly measured: string
  readonly floor: string
  readonly ratio: number
  /** The goal in words, e.g. `≤ 1.6 ×`. */
  readonly goal: string
  readonly ok: boolean
}

/** Milliseconds that a subject counted itself. */
export class Measured {
  readonly ms: number

  constructor(ms: number) {
    this.ms = ms
  }
}

/**
 * Median milliseconds of each subject, their rounds interleaved so that noise hits all alike. One warm-up round is dropped. A
 * subject that measures itself returns `Measured`.
 */
export async function interleave<Name extends string>(
  rounds: number,
  subjects: Readonly<Record<Name, () => unknown>>,
): Promise<Record<Name, number>> {
  const times = new Map<Name, number[]>()
  const names = Object.keys(subjects) as Name[]
  for (let round = -1; round < rounds; round++) {
    for (const name of names) {
      const start = performance.now()
      const own = await subjects[name]()
      const elapsed = own instanceof Measured ? own.ms : performance.now() - start
      if (round >= 0) times.set(name, [...(times.get(name) ?? []), elapsed])
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Record<Name, number>
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** A row for "at most so many times its floor". */
export function atMost(name: string, ms: number, floorMs: number, limit: number): Row {
  const ratio = ms / floorMs
  return {
    name,
    measured: `${ms.toFixed(2)} ms`,
    floor: `${floorMs.toFixed(2)} ms`,
    ratio,
    goal: `≤ ${limit} ×`,
    ok: ratio <= limit,
  }
}
