/** The seed belongs in the title of the test, where every reporter prints it; `RALPH_SEED=…` gives the same numbers again. */
export function seededRandom(always?: number): { readonly seed: number; readonly next: (below: number) => number } {
  const seed = Number(process.env['RALPH_SEED'] ?? always ?? Math.floor(Math.random() * 2 ** 31))
  let state = seed
  return {
    seed,
    // mulberry32
    next(below) {
      state = (state + 0x6d_2b_79_f5) | 0
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
      return ((mixed ^ (mixed >>> 14)) >>> 0) % below
    },
  }
}
