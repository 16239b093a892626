/**
 * The contents of every `<name>…</name>` in a text, in order. A scanner: the expression one would write for it took
 * 8 s on 360 kB of opened tags.
 */
export function findTags(text: string, name: string): string[] {
  const open = `<${name}>`
  const close = `</${name}>`
  const found: string[] = []
  let from = 0
  for (;;) {
    const end = text.indexOf(close, from)
    if (end === -1) return found
    const before = text.slice(from, end)
    const start = before.lastIndexOf(open)
    if (start !== -1) found.push(before.slice(start + open.length))
    from = end + close.length
  }
}
