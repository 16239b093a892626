const lone = /[\u{d800}-\u{dfff}]/u
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Names on disk are bytes. Those that are not UTF-8 become lone surrogates (U+DC80 to U+DCFF, as Python does it), so
 * that every name has one text, goes through JSON unharmed, is shown escaped, and leads back to the same bytes.
 */
export function decodePath(bytes: Uint8Array): string {
  const whole = decodeStrictly(bytes)
  if (whole !== null) return whole
  let text = ''
  for (let at = 0; at < bytes.length;) {
    const length = [1, 2, 3, 4].find((size) => decodeStrictly(bytes.subarray(at, at + size)) !== null)
    if (length === undefined) text += String.fromCharCode(0xdc_00 + (bytes[at] ?? 0))
    else text += decodeStrictly(bytes.subarray(at, at + length)) ?? ''
    at += length ?? 1
  }
  return text
}

export function encodePath(path: string): Buffer {
  if (!lone.test(path)) return Buffer.from(path)
  const parts = Array.from(path, (character) => {
    const code = character.codePointAt(0) ?? 0
    return code >= 0xdc_80 && code <= 0xdc_ff ? Buffer.from([code - 0xdc_00]) : Buffer.from(character)
  })
  return Buffer.concat(parts)
}

/** For system calls: a text where it can be one, since Node cannot write every name as a text. */
export function diskPath(root: string, path: string): string | Buffer {
  const joined = path === '' ? root : `${root}/${path}`
  return lone.test(joined) ? encodePath(joined) : joined
}

/** Fields of `-z` output, without the empty one after the last NUL. */
export function splitFields(output: Buffer): Buffer[] {
  const fields: Buffer[] = []
  let from = 0
  for (let end = output.indexOf(0); end !== -1; end = output.indexOf(0, from)) {
    fields.push(output.subarray(from, end))
    from = end + 1
  }
  return fields
}

/** Paths as `-z` input. */
export function joinPaths(paths: readonly string[]): Buffer {
  const nul = Buffer.from([0])
  return Buffer.concat(paths.flatMap((path) => [encodePath(path), nul]))
}

/** Relative, without empty names, `.`, `..` and NUL, and not in any `.git`: what a tree may name and we may write. */
export function isInnerPath(path: string): boolean {
  return path
    .split('/')
    .every((name) => name !== '' && name !== '.' && name !== '..' && !name.includes('\0') && !isGitName(name))
}

/** Also as file systems that fold case, drop trailing dots and spaces, or skip invisible characters would take it. */
export const isGitName = (name: string): boolean =>
  /^(?:\.git|git~1)[. ]*(?:[:\\].*)?$/is.test(
    name.replaceAll(/[\u{200c}-\u{200f}\u{202a}-\u{202e}\u{206a}-\u{206f}\u{feff}]/gu, ''),
  )

function decodeStrictly(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}
