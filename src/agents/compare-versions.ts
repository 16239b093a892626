/** The first version in what a program says of itself (`codex-cli 0.166.0`, `2.1.325 (Claude Code)`); null if there is none. */
export function versionIn(text: string): string | null {
  return /\d{1,9}(?:\.\d{1,9}){1,3}/.exec(text.slice(0, 1000))?.[0] ?? null
}

/** By numbers: 0.9.0 is older than 0.10.0. */
export function isOlder(version: string, than: string): boolean {
  const [left, right] = [numbersOf(version), numbersOf(than)]
  const at = right.findIndex((number, index) => (left[index] ?? 0) !== number)
  return at !== -1 && (left[at] ?? 0) < (right[at] ?? 0)
}

const numbersOf = (version: string): number[] => version.split('.').map(Number)
