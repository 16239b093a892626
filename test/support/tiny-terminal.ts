/**
 * As much of a terminal as the displays use: text that wraps, CR, LF, erase to the end of the line, colours (ignored); and
 * resizing as most terminals do it, where a line that was wrapped is wrapped anew and the cursor stays with its character.
 * Every character is one column wide here. Anything else that is written is an error.
 */
export interface TinyTerminal {
  write(text: string): void
  resize(columns: number): void
  /** Rows from the top, without blanks at their ends. */
  rows(): string[]
  cursor(): { row: number; column: number }
}

interface Row {
  text: string
  /** It goes on in the row below because it was too long. */
  goesOn: boolean
}

export function tinyTerminal(columns: number): TinyTerminal {
  let width = columns
  let rows: Row[] = [{ text: '', goesOn: false }]
  let row = 0
  let column = 0
  const at = (index: number): Row => (rows[index] ??= { text: '', goesOn: false })

  const put = (character: string): void => {
    if (column === width) {
      at(row).goesOn = true
      row++
      column = 0
    }
    const line = at(row)
    line.text = line.text.slice(0, column).padEnd(column) + character + line.text.slice(column + 1)
    column++
  }

  return {
    write(text) {
      // oxlint-disable-next-line no-control-regex -- what a terminal reads
      for (const [token] of text.matchAll(/\u{1b}\[[0-9;]*[A-Za-z]|[^]/gu)) {
        if (token === '\r') column = 0
        else if (token === '\n') {
          at(row).goesOn = false
          row++
          column = 0
          at(row)
        } else if (token === '\u{1b}[K') {
          at(row).text = at(row).text.slice(0, column)
          at(row).goesOn = false
        } else if (token.startsWith('\u{1b}[') && token.endsWith('m')) continue
        else if (/^\p{Cc}/u.test(token)) throw new Error(`the terminal got ${JSON.stringify(token)}`)
        else put(token)
      }
    },
    resize(columns) {
      const before = rows
      rows = []
      let cursor = { row: 0, column }
      for (let index = 0; index < before.length;) {
        let line = ''
        let cursorAt = -1
        for (;;) {
          const part = before[index] ?? { text: '', goesOn: false }
          if (index === row) cursorAt = line.length + column
          line += part.goesOn ? part.text.padEnd(width) : part.text
          index++
          if (!part.goesOn) break
        }
        const first = rows.length
        for (let from = 0; from === 0 || from < line.length; from += columns) {
          rows.push({ text: line.slice(from, from + columns), goesOn: from + columns < line.length })
        }
        if (cursorAt >= 0) cursor = { row: first + Math.floor(cursorAt / columns), column: cursorAt % columns }
      }
      width = columns
      row = cursor.row
      column = cursor.column
    },
    rows: () => rows.map(({ text }) => text.trimEnd()),
    cursor: () => ({ row, column }),
  }
}
