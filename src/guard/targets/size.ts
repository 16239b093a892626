const powers: Readonly<Record<string, number>> = { k: 1, m: 2, g: 3, t: 4, p: 5, e: 6, z: 7, y: 8 }

/** The bytes of `500G`, `10MB`, `1TiB`, `4096`; null: it is no size. A `b` behind a number alone is a block. */
export function bytesOf(text: string): number | null {
  const [, digits, letter = '', rest = ''] = /^(\d+(?:\.\d+)?)([kmgtpezy]?)(i?b|w)?$/i.exec(text) ?? []
  if (digits === undefined) return null
  if (letter === '') return Number(digits) * (rest.toLowerCase() === 'b' ? 512 : 1)
  return Number(digits) * 1024 ** (powers[letter.toLowerCase()] ?? 0)
}

/** More than anybody needs who works on a project. */
export const isHuge = (bytes: number | null): boolean => bytes !== null && bytes >= 50 * 1024 ** 3
