const named: Readonly<Record<string, string>> = {
  a: '\u{7}',
  b: '\b',
  e: '\u{1b}',
  E: '\u{1b}',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

/** What `$'…'` stands for, from behind its opening quote; `end` is behind the closing one. */
export function ansiText(text: string, start: number): { readonly text: string; readonly end: number } {
  const pieces: string[] = []
  let at = start
  while (at < text.length) {
    const next = text.slice(at).search(/['\\]/)
    const end = next === -1 ? text.length : at + next
    pieces.push(text.slice(at, end))
    at = end
    if (text[at] !== '\\') break
    const code = /\\(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|([0-7]{1,3}))/y
    code.lastIndex = at
    const [found, ...digits] = code.exec(text) ?? []
    if (found === undefined) {
      const char = text[at + 1] ?? ''
      pieces.push(named[char] ?? char)
      at += 2
    } else {
      const octal = digits[3]
      const value = octal === undefined ? Number.parseInt(digits.find(Boolean) ?? '0', 16) : Number.parseInt(octal, 8)
      pieces.push(value <= 0x10_ff_ff ? String.fromCodePoint(value) : '')
      at += found.length
    }
  }
  return { text: pieces.join(''), end: at + 1 }
}
