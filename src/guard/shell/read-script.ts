import { ansiText } from './ansi-text.ts'
import { leadingWords } from './leading-words.ts'
import { plainText } from './plain-text.ts'
import type { Joint, Part, Script, Step, Word } from './script.ts'

const maxDepth = 100
/** Words, their pieces and commands; the text in them may be as long as it wants. */
const maxPieces = 20_000

/**
 * The commands of a shell script, in their order. It is looser than a shell: what is no valid script is read as well as it
 * goes, and it never goes back, so that time is linear whatever the text is.
 */
export function readScript(text: string): Script {
  const reader = new Reader(text, { depth: 0, pieces: 0, unread: null })
  reader.readList(false)
  return { steps: reader.steps, unread: reader.effort.unread }
}

/** What reading has come to so far, in all texts of one script. */
interface Effort {
  depth: number
  pieces: number
  unread: string | null
}

interface OpenCommand {
  words: Word[]
  writes: Word[]
  documents: Word[]
  /** No word yet but those after which a command begins. */
  leading: boolean
}

interface PendingDocument {
  readonly delimiter: string
  readonly isLiteral: boolean
  readonly stripTabs: boolean
  readonly into: Word[]
}

const endOfWord = new Set(' \t\r\n;&|()<>')
const plainEnd = /[ \t\r\n;&|()<>\\'"$`]/g
const quotedEnd = /["\\$`]/g
const bracedEnd = /[}"'\\$`]/g

class Reader {
  readonly steps: Step[] = []
  readonly effort: Effort
  private at = 0
  private pending: PendingDocument[] = []
  private readonly text: string

  constructor(text: string, effort: Effort) {
    this.text = text
    this.effort = effort
  }

  /** Up to the end, or behind the `)` that closes what was opened. */
  readList(isInner: boolean): void {
    let command = this.open()
    let cases = 0
    const finish = (joint: Joint): void => {
      const { words, writes, documents } = command
      // A here-document comes later, so it may still be missing.
      if (words.length + writes.length + documents.length + this.pending.length === 0) return
      this.steps.push({ kind: 'command', words, writes, documents, joint })
      this.spend(1)
      command = this.open()
    }
    while (this.at < this.text.length) {
      const char = this.text[this.at] ?? ''
      if (char === ' ' || char === '\t' || char === '\r') this.at++
      else if (char === '\n') {
        this.at++
        finish(';')
        this.readDocuments()
      } else if (char === '#') this.at = this.find('\n')
      else if (char === ';' || char === '&' || char === '|') {
        if (this.text.startsWith('&>', this.at)) this.readRedirection(command)
        else finish(this.readJoint())
      } else if (char === '(') {
        finish(';')
        this.at++
        this.inside(() => this.readList(true))
      } else if (char === ')') {
        this.at++
        finish(';')
        // In a `case` it ends a pattern.
        if (isInner && cases === 0) return
      } else if (char === '<' || char === '>') {
        if (this.text[this.at + 1] === '(') command.words.push(this.readWord())
        else this.readRedirection(command)
      } else {
        const word = this.readWord()
        const next = this.text[this.at]
        if ((next === '<' || next === '>') && /^\d+$/.test(plainText(word) ?? '')) continue
        if (word.length === 0) continue
        command.words.push(word)
        if (!command.leading) continue
        const text = plainText(word)
        if (text === 'case') cases++
        if (text === 'esac') cases = Math.max(0, cases - 1)
        command.leading = text !== null && leadingWords.has(text)
      }
    }
    finish(';')
  }

  private open(): OpenCommand {
    return { words: [], writes: [], documents: [], leading: true }
  }

  /** What runs in a shell of its own; read between the two steps around it. */
  private inside(read: () => void): void {
    if (this.effort.depth >= maxDepth) return this.giveUp('it is nested too deeply')
    this.effort.depth++
    this.spend(1)
    this.steps.push({ kind: 'enter' })
    read()
    this.steps.push({ kind: 'leave' })
    this.effort.depth--
  }

  private spend(pieces: number): void {
    this.effort.pieces += pieces
    if (this.effort.pieces > maxPieces) this.giveUp(`it has more than ${maxPieces} words`)
  }

  private giveUp(why: string): void {
    this.effort.unread ??= why
    this.at = this.text.length
  }

  private readJoint(): Joint {
    const two = this.text.slice(this.at, this.at + 2)
    if (two === '&&' || two === '||') {
      this.at += 2
      return two
    }
    const one = this.text[this.at++]
    return one === '&' || one === '|' ? one : ';'
  }

  private readRedirection(command: OpenCommand): void {
    const operator = /(?:&>>?|>>|>\||>&|>|<<<|<<-?|<&|<>|<)/y
    operator.lastIndex = this.at
    const [found = '<'] = operator.exec(this.text) ?? []
    this.at += found.length
    this.skipBlanks()
    if (found === '<<' || found === '<<-') return this.openDocument(command, found === '<<-')
    const word = this.readWord()
    if (found === '<<<') command.documents.push(word)
    if (found === '<' || found === '<&' || found === '<<<') return
    if (found === '>&' && /^(?:\d+-?|-)$/.test(plainText(word) ?? '')) return
    command.writes.push(word)
    // zsh overwrites with `>!`.
    if (plainText(word) === '!') {
      this.skipBlanks()
      command.writes.push(this.readWord())
    }
  }

  private openDocument(command: OpenCommand, stripTabs: boolean): void {
    const word = this.readWord()
    const isLiteral = word.some((part) => part.kind !== 'text' || part.quoted)
    const delimiter = word.map((part) => (part.kind === 'text' ? part.text : '')).join('')
    this.pending.push({ delimiter, isLiteral, stripTabs, into: command.documents })
  }

  /** Here-documents begin behind the line that names them. */
  private readDocuments(): void {
    const pending = this.pending
    this.pending = []
    for (const { delimiter, isLiteral, stripTabs, into } of pending) {
      const lines: string[] = []
      while (this.at < this.text.length) {
        const end = this.find('\n')
        const raw = this.text.slice(this.at, end)
        const line = stripTabs ? raw.replace(/^\t+/, '') : raw
        this.at = end + 1
        if (line === delimiter) break
        lines.push(line)
      }
      const body = lines.join('\n')
      if (isLiteral) into.push([{ kind: 'text', text: body, quoted: true }])
      else {
        const parts: Part[] = []
        this.other(body, (inner) => inner.readQuoted(null, parts))
        into.push(parts)
      }
    }
  }

  private skipBlanks(): void {
    while (this.at < this.text.length) {
      if (' \t\r'.includes(this.text[this.at] ?? '')) this.at++
      else if (this.text.startsWith('\\\n', this.at)) this.at += 2
      else return
    }
  }

  private readWord(): Word {
    const parts: Part[] = []
    this.spend(1)
    while (this.at < this.text.length) {
      const char = this.text[this.at] ?? ''
      if ((char === '<' || char === '>') && this.text[this.at + 1] === '(' && parts.length === 0) {
        this.at += 2
        this.inside(() => this.readList(true))
        parts.push({ kind: 'unknown' })
      } else if (endOfWord.has(char)) break
      else if (char === '\\') {
        const next = this.text[this.at + 1] ?? ''
        this.at += 2
        if (next !== '\n') addText(parts, next, true)
      } else if (char === "'") {
        const end = this.find("'", this.at + 1)
        addText(parts, this.text.slice(this.at + 1, end), true)
        this.at = end + 1
      } else if (char === '"') {
        this.at++
        // An empty pair of quotes is a word all the same.
        addText(parts, '', true)
        this.readQuoted('"', parts)
      } else if (char === '$') this.readDollar(false, parts)
      else if (char === '`') parts.push(this.readBackticks(false))
      else addText(parts, this.upTo(plainEnd), false)
    }
    return parts
  }

  /** Inside of double quotes, or of a here-document, which ends with its text. */
  private readQuoted(end: '"' | null, parts: Part[]): void {
    while (this.at < this.text.length) {
      const char = this.text[this.at] ?? ''
      if (char === end) {
        this.at++
        return
      }
      if (char === '\\') {
        const next = this.text[this.at + 1] ?? ''
        this.at += 2
        if (next !== '\n') addText(parts, '$`\\'.includes(next) || next === end ? next : `\\${next}`, true)
      } else if (char === '$') this.readDollar(true, parts)
      else if (char === '`') parts.push(this.readBackticks(true))
      else addText(parts, this.upTo(quotedEnd), true)
    }
  }

  private readDollar(quoted: boolean, parts: Part[]): void {
    this.spend(1)
    const next = this.text[this.at + 1] ?? ''
    if (next === '(') {
      this.at += 2
      const start = this.at
      this.inside(() => this.readList(true))
      parts.push({ kind: 'output', script: this.text.slice(start, this.at - 1), quoted })
      return
    }
    if (next === '{') {
      parts.push(this.readBraces(quoted))
      return
    }
    if (next === "'" && !quoted) {
      const { text, end } = ansiText(this.text, this.at + 2)
      this.at = end
      addText(parts, text, true)
      return
    }
    if (next === '"' && !quoted) {
      this.at++
      return
    }
    const name = /[A-Za-z_]\w*/y
    name.lastIndex = this.at + 1
    const [found] = name.exec(this.text) ?? []
    if (found !== undefined) {
      this.at += 1 + found.length
      parts.push({ kind: 'variable', name: found, quoted })
      return
    }
    const isSpecial = next !== '' && '0123456789@*#?-$!'.includes(next)
    this.at += isSpecial ? 2 : 1
    if (isSpecial) parts.push({ kind: 'unknown' })
    else addText(parts, '$', true)
  }

  private readBraces(quoted: boolean): Part {
    const plain = /\$\{([A-Za-z_]\w*)\}/y
    plain.lastIndex = this.at
    const [whole, name] = plain.exec(this.text) ?? []
    if (whole !== undefined && name !== undefined) {
      this.at += whole.length
      return { kind: 'variable', name, quoted }
    }
    this.at += 2
    this.inside(() => this.readInBraces(quoted))
    return { kind: 'unknown' }
  }

  /** Only for what it runs: `${x:-$(rm y)}`. */
  private readInBraces(quoted: boolean): void {
    while (this.at < this.text.length) {
      const char = this.text[this.at] ?? ''
      if (char === '}') {
        this.at++
        return
      }
      if (char === '\\') this.at += 2
      else if (char === '"') {
        this.at++
        this.readQuoted('"', [])
      } else if (char === "'") this.at = quoted ? this.at + 1 : this.find("'", this.at + 1) + 1
      else if (char === '$') this.readDollar(quoted, [])
      else if (char === '`') this.readBackticks(quoted)
      else this.upTo(bracedEnd)
    }
  }

  private readBackticks(quoted: boolean): Part {
    const pieces: string[] = []
    this.spend(1)
    this.at++
    while (this.at < this.text.length && this.text[this.at] !== '`') {
      if (this.text[this.at] !== '\\') pieces.push(this.upTo(/[\\`]/g))
      else {
        const next = this.text[this.at + 1] ?? ''
        pieces.push('$`\\'.includes(next) || (quoted && next === '"') ? next : `\\${next}`)
        this.at += 2
      }
    }
    this.at++
    const script = pieces.join('')
    this.inside(() => this.other(script, (inner) => inner.readList(false)))
    return { kind: 'output', script, quoted }
  }

  /** Reads another text as part of this script. */
  private other(text: string, read: (inner: Reader) => void): void {
    const inner = new Reader(text, this.effort)
    read(inner)
    // One by one: as arguments of one call a hundred thousand steps overflow the stack.
    for (const step of inner.steps) this.steps.push(step)
  }

  private find(char: string, from = this.at): number {
    const index = this.text.indexOf(char, from)
    return index === -1 ? this.text.length : index
  }

  /** At least one character, up to the first that the expression names. */
  private upTo(end: RegExp): string {
    const start = this.at
    end.lastIndex = start + 1
    this.at = end.exec(this.text)?.index ?? this.text.length
    return this.text.slice(start, this.at)
  }
}

/** Text that goes on is one part, however many escapes are in it. */
function addText(parts: Part[], text: string, quoted: boolean): void {
  const last = parts.at(-1)
  if (last?.kind === 'text' && last.quoted === quoted) (last as { text: string }).text += text
  else parts.push({ kind: 'text', text, quoted })
}
