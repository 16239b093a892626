/** The candidate that takes the fewest edits to reach from a word; the first of them when several are as near. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  // Beyond that length nothing is near any more, and the comparison is quadratic.
  const start = word.slice(0, 64).toLowerCase()
  const distances = new Map(candidates.map((candidate) => [candidate, editDistance(start, candidate.toLowerCase())]))
  return candidates.toSorted((a, b) => (distances.get(a) ?? 0) - (distances.get(b) ?? 0))[0]
}

/** Insertions, deletions, replacements and swaps of neighbours each count one: `staus` and `stauts` are both one off. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = a[i - 1] === b[j - 1] ? 0 : 1
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + replaced)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1)
      }
      row.push(cost)
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}
