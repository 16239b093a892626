const maxWords = 20_000

/** Without one of these nothing harms. */
const harming =
  /\b(?:drop|truncate|delete|update|program|xp_cmdshell|sys_exec|outfile|dumpfile|superuser|shutdown)\b|\\!/i

/** What a text of SQL would do to data that it must not, or null: a phrase. */
export function harmfulSql(text: string): string | null {
  if (!harming.test(text)) return null
  const statements = statementsOf(text)
  if (statements === null) return 'run more SQL than can be read here'
  // What is rolled back has not happened.
  if (/^(?:BEGIN|START)$/i.test(statements[0]?.[0] ?? '') && /^ROLLBACK$/i.test(statements.at(-1)?.[0] ?? ''))
    return null
  for (const words of statements) {
    const harm = harmOf(words)
    if (harm !== null) return harm
  }
  return null
}

/** Databases, tables and schemas that are made to be thrown away. */
export const isThrowaway = (name: string): boolean =>
  /(?:^|[^a-z])(?:tests?|testing|tmp|temp|temporary|ci|scratch|sandbox|shadow|dummy)(?:[^a-z]|$)/i.test(name)

/** The words of each statement, without comments; what is in quotes is one of them. Null: too many. */
function statementsOf(text: string): string[][] | null {
  const statements: string[][] = []
  let words: string[] = []
  let count = 0
  // MySQL runs what is in a comment that begins with `/*!`.
  const token = /\/\*!?\d*|--|['"`;]|\\[a-z!]+|[\w.$-]+|[^\s\w]/gi
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    if (++count > maxWords) return null
    const [found] = match
    const start = token.lastIndex
    if (found.startsWith('/*')) token.lastIndex = found.startsWith('/*!') ? start : endOf(text, '*/', start)
    else if (found === '--') token.lastIndex = endOf(text, '\n', start)
    else if (found === "'" || found === '"' || found === '`') {
      token.lastIndex = endOf(text, found, start)
      words.push(found === "'" ? "''" : text.slice(start, token.lastIndex - 1))
    } else if (found !== ';') words.push(found)
    else if (words.length > 0) {
      statements.push(words)
      words = []
    }
  }
  return words.length > 0 ? [...statements, words] : statements
}

function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  return at === -1 ? text.length : at + mark.length
}

const dropped = new Set([
  'DATABASE',
  'SCHEMA',
  'TABLE',
  'USER',
  'ROLE',
  'OWNED',
  'KEYSPACE',
  'TABLESPACE',
  'COLUMN',
  'LOGIN',
  'STREAM',
  'WAREHOUSE',
  'CATALOG',
])

function harmOf(words: readonly string[]): string | null {
  const upper = words.map((word) => word.toUpperCase())
  const [first, second] = upper
  // It only tells what would be done, unless it is told to do it too.
  if ((first === 'EXPLAIN' || first === 'DESCRIBE' || first === 'DESC' || first === 'SHOW') && second !== 'ANALYZE')
    return null
  if (/^\\(?:!|copy)$/i.test(first ?? '')) return first === '\\!' ? 'run a program' : null
  const isCopy = upper.includes('COPY')
  const isUpdate = first === 'UPDATE' && upper.includes('SET')
  for (const [index, word] of upper.entries()) {
    const next = upper[index + 1] ?? ''
    if (word === 'DROP') {
      const name = nameAfter(words, index + 1)
      if (dropped.has(next) && !isThrowaway(name)) return `drop a ${next.toLowerCase()}`
      if (
        first === 'ALTER' &&
        second === 'TABLE' &&
        next !== 'CONSTRAINT' &&
        next !== 'INDEX' &&
        next !== 'DEFAULT' &&
        next !== 'NOT'
      )
        return 'drop a column'
    }
    if (word === 'TRUNCATE' && isStart(upper, index) && next !== '(' && !isThrowaway(nameAfter(words, index)))
      return 'empty a table'
    if (word === 'DELETE' && next === 'FROM' && isEverything(upper, index) && !isThrowaway(nameAfter(words, index + 1)))
      return 'delete every row of a table'
    if (isUpdate && index === 0 && isEverything(upper, index)) return 'change every row of a table'
    if (word === 'PROGRAM' && isCopy) return 'run a program'
    if (
      word === 'XP_CMDSHELL' ||
      word === 'SYS_EXEC' ||
      (word === 'INTO' && (next === 'OUTFILE' || next === 'DUMPFILE'))
    )
      return 'run a program or write a file'
    if (word === 'SUPERUSER' && (first === 'ALTER' || first === 'CREATE')) return 'make somebody master of the database'
  }
  return first === 'SHUTDOWN' ? 'stop the database' : null
}

/** A statement, or one inside of another, and no name of something. */
const isStart = (words: readonly string[], index: number): boolean => index === 0 || openers.has(words[index - 1] ?? '')

const openers = new Set(['(', '/', '$$', 'AS', 'BEGIN', 'DO', 'ELSE', 'LOOP', 'THEN'])

const fillers = new Set(['IF', 'EXISTS', 'ONLY', 'TABLE'])

/** The name of what is dropped or emptied. */
function nameAfter(words: readonly string[], index: number): string {
  return words.slice(index + 1, index + 5).find((word) => !fillers.has(word.toUpperCase())) ?? ''
}

const maxCondition = 20

/** No condition, or one that is always true. */
function isEverything(words: readonly string[], index: number): boolean {
  const last = words.lastIndexOf('WHERE')
  if (last < index) return true
  return words.length - last < maxCondition && /^(?:1=1|TRUE|1|''='')$/.test(words.slice(last + 1).join(''))
}
