export interface Scan {
  /** Why nobody should try to read it: it is longer or deeper than anything that somebody writes. */
  readonly unread: string | null
  /** What stands between the separators outside of quotes and here-documents: commands, more or less. */
  readonly pieces: readonly string[]
}

const maxDepth = 100
const maxPieces = 4000
const maxDocuments = 100
/** Characters in what is nested, each counted as often as it is nested. */
const maxNested = 4_000_000

const ends = {
  plain: /[ \t\n;&|()<>\\'"$`{}#*]/g,
  quoted: /["\\$`]/g,
  braced: /[}"'\\$`{]/g,
} as const

interface PendingDocument {
  readonly delimiter: string
  readonly isLiteral: boolean
  readonly stripTabs: boolean
}

/**
 * A first look at a script, in one pass that never goes back. The parser looks again and again at what is nested, so a
 * text that is made for it would hold it up for minutes; here it is told what to leave alone.
 */
export function scanScript(text: string): Scan {
  return new Scanner(text).scan()
}

class Scanner {
  private readonly text: string
  private at = 0
  private readonly open: { readonly end: string; readonly at: number }[] = []
  private nested = 0
  private count = 0
  private documents = 0
  private pending: PendingDocument[] = []
  private readonly pieces: string[] = []
  private start = 0
  private unread: string | null = null

  constructor(text: string) {
    this.text = text
  }

  scan(): Scan {
    while (this.at < this.text.length && this.unread === null) this.step()
    for (const { at } of this.open) this.nested += this.text.length - at
    if (this.nested > maxNested) this.unread ??= 'it is nested too deeply'
    this.cut(this.text.length)
    return { unread: this.unread, pieces: this.pieces }
  }

  private step(): void {
    const inside = this.open.at(-1)?.end ?? ''
    const end = inside === '"' ? ends.quoted : inside === '${' ? ends.braced : ends.plain
    end.lastIndex = this.at
    this.at = end.exec(this.text)?.index ?? this.text.length
    const char = this.text[this.at] ?? ''
    if (char === '') return
    if (++this.count > maxPieces) this.unread = `it has more than ${maxPieces} words`
    if (char === '\\') this.at += 2
    else if (char === '$') this.dollar(inside)
    else if (char === '`') this.toggle('`', inside)
    else if (char === '"') this.toggle('"', inside)
    else if (inside === '${') this.braced(char)
    else this.plain(char, inside)
  }

  private dollar(inside: string): void {
    const next = this.text[this.at + 1] ?? ''
    if (next === "'" && inside !== '"') {
      this.at += 2
      const end = /['\\]/g
      for (end.lastIndex = this.at; ; end.lastIndex = this.at) {
        this.at = end.exec(this.text)?.index ?? this.text.length
        if (this.text[this.at] !== '\\') break
        this.at += 2
      }
      this.at++
    } else if (next === '(') this.push(')', 2)
    else if (next === '{') this.push('${', 2)
    else if (next === '[') this.push(']', 2)
    else this.at++
  }

  private braced(char: string): void {
    if (char === '}') this.pop()
    else if (char === "'" && this.open.at(-2)?.end !== '"') this.skipTo("'")
    else this.at++
  }

  private plain(char: string, inside: string): void {
    if (char === "'") this.skipTo("'")
    else if (char === '{') this.push('}', 1)
    else if (char === '(') this.push(')', 1)
    else if (char === '}' || char === ')') {
      this.cut(this.at)
      if (inside === char) this.pop()
      else this.at++
    } else if (char === '#' && /^$|[\s;&|(]/.test(this.text[this.at - 1] ?? '')) {
      const end = this.text.indexOf('\n', this.at)
      this.cut(this.at)
      this.at = end === -1 ? this.text.length : end
      this.start = this.at
    } else if (char === '<') this.less()
    else if (char === '\n') this.newline()
    else {
      if (';&|'.includes(char)) this.cut(this.at)
      this.at++
    }
  }

  private less(): void {
    const found = /<<<|<<-?[ \t]*((?:\\.|'[^'\n]*'|"[^"\n]*"|[^\s;&|()<>'"\\])+)|<\(|</y
    found.lastIndex = this.at
    const [all = '<', word] = found.exec(this.text) ?? []
    if (all === '<(') return this.push(')', 2)
    this.at += all.length
    if (word === undefined) return
    if (++this.documents > maxDocuments) this.unread = `it has more than ${maxDocuments} here-documents`
    const delimiter = word.replaceAll(/\\(.)|['"]/g, '$1')
    this.pending.push({ delimiter, isLiteral: delimiter !== word, stripTabs: all.startsWith('<<-') })
  }

  private newline(): void {
    this.cut(this.at)
    this.at++
    const pending = this.pending
    this.pending = []
    for (const { delimiter, isLiteral, stripTabs } of pending) {
      const start = this.at
      const end = this.endOfDocument(delimiter, stripTabs)
      // What it runs counts, its other text does not.
      if (!isLiteral) this.document(this.text.slice(start, end))
    }
    this.start = this.at
  }

  private document(text: string): void {
    let depth = 0
    let from = 0
    for (const { 0: found, index } of text.matchAll(/\$[({[]|[)}\]`]/g)) {
      this.nested += depth * (index - from)
      from = index
      depth = found.length === 2 ? depth + 1 : Math.max(0, depth - 1)
      if (++this.count > maxPieces) this.unread = `it has more than ${maxPieces} words`
      if (depth > maxDepth || this.nested > maxNested) this.unread = 'it is nested too deeply'
      if (this.unread !== null) return
    }
    this.nested += depth * (text.length - from)
  }

  /** Goes behind the line with the delimiter. */
  private endOfDocument(delimiter: string, stripTabs: boolean): number {
    while (this.at < this.text.length) {
      const start = this.at
      const next = this.text.indexOf('\n', start)
      const end = next === -1 ? this.text.length : next
      this.at = end + 1
      if (end - start > delimiter.length + 100) continue
      const line = this.text.slice(start, end)
      if ((stripTabs ? line.replace(/^\t+/, '') : line) === delimiter) return start
    }
    return this.text.length
  }

  private toggle(char: string, inside: string): void {
    if (inside === char) this.pop()
    else this.push(char, 1)
  }

  private push(end: string, length: number): void {
    if (end === ')' || end === '`' || end === '}') this.cut(this.at)
    this.open.push({ end, at: this.at })
    this.at += length
    if (end === ')' || end === '`' || end === '}') this.start = this.at
    if (this.open.length > maxDepth) this.unread = 'it is nested too deeply'
  }

  private pop(): void {
    const { at } = this.open.pop() ?? { at: this.at }
    this.nested += this.at - at
    this.at++
    if (this.nested > maxNested) this.unread = 'it is nested too deeply'
  }

  private skipTo(char: string): void {
    const end = this.text.indexOf(char, this.at + 1)
    this.at = end === -1 ? this.text.length : end + 1
  }

  private cut(end: number): void {
    if (end > this.start) this.pieces.push(this.text.slice(this.start, end))
    this.start = end + 1
  }
}
