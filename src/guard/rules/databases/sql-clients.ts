import { grammar, readOptions, type Grammar, type Options } from '../../options.ts'
import type { Ran } from '../../shell/trace.ts'
import { isThrowaway } from './harmful-sql.ts'

/** What a client of a database is asked. */
export interface SqlCall {
  readonly texts: readonly string[]
  /** The database, or the file, as far as it is named. */
  readonly database: string
  /** It is a file of this machine. */
  readonly isFile: boolean
}

interface Client {
  readonly grammar: Grammar
  /** Options whose value is SQL. */
  readonly sql: readonly string[]
  /** Options whose value names the database. */
  readonly database: readonly string[]
  /** How many operands come before SQL among them; none are SQL where it is absent. */
  readonly operandsBefore?: number
  readonly verb?: string
  readonly isFile?: boolean
}

const client = (sql: string, database: string, more: Partial<Client> & { valued?: string } = {}): Client => ({
  grammar: grammar(`${sql} ${database} ${more.valued ?? ''}`, '', more.isFile),
  sql: sql.split(' '),
  database: database.split(' '),
  ...more,
})

const hosts = '-h --host -p --port -U -u --username --user -f --file -o --output -v --set --variable'
const postgres = client('-c --command', '-d --dbname', { valued: `${hosts} -F -P -R -T -L` })
/** `-p` has its value without a blank, or none. */
const mysql = client('-e --execute --init-command', '-D --database', {
  valued: '-h --host -P --port -u --user -S --socket --ssl-ca --defaults-file --defaults-extra-file --protocol',
})
/** Its long options are behind one dash. */
const file = client('--cmd', '--none', {
  operandsBefore: 1,
  isFile: true,
  valued: '--init --separator --newline --nullvalue',
})
const query = client('-q -Q -e --query --execute --sql --command -c', '-d --database --db', {
  valued: '-h --host --port -u --user --password -S -U -P -a -r -w --warehouse --schema',
})

export const clients: ReadonlyMap<string, Client> = new Map([
  ['psql', postgres],
  ['pgcli', postgres],
  ['usql', postgres],
  ['mysql', mysql],
  ['mariadb', mysql],
  ['mycli', mysql],
  ['sqlite3', file],
  ['sqlite', file],
  ['litecli', file],
  ['duckdb', client('--c --s --cmd', '--none', { operandsBefore: 1, isFile: true, valued: '--init' })],
  ['libsql', file],
  ...[
    'clickhouse-client',
    'clickhouse',
    'sqlcmd',
    'snowsql',
    'cqlsh',
    'trino',
    'presto',
    'hive',
    'beeline',
    'impala-shell',
    'spark-sql',
    'isql',
    'sqlplus',
    'vsql',
    'ysqlsh',
    'crate',
  ].map((name) => [name, query] as const),
  ['cockroach', { ...query, verb: 'sql' }],
  ['snow', { ...query, verb: 'sql' }],
  ['bq', client('--flagfile', '--dataset_id', { verb: 'query', operandsBefore: 0 })],
  ['wrangler', client('--command', '--env -c --config --file', { verb: 'd1' })],
  ['turso', client('--none', '--instance', { verb: 'db', operandsBefore: 2 })],
  ['heroku', client('-c --command', '-a --app', { verb: 'pg:psql' })],
  ['supabase', client('--sql', '--db-url', { verb: 'db', operandsBefore: 2 })],
  ['prisma', client('--sql', '--schema --url --file', { verb: 'db' })],
])

/** Null where it is no client of a database. */
export function sqlCallOf({ name, args, input }: Ran): SqlCall | null {
  const client = clients.get(name)
  if (client === undefined) return null
  const options = readOptions(args, client.grammar)
  if (options.has('--help', '--version')) return null
  const operands = client.verb === undefined ? options.operands : after(client.verb, options.operands)
  if (operands === null) return null
  const { operandsBefore } = client
  return {
    texts: [
      ...options.values(...client.sql),
      ...(operandsBefore === undefined ? [] : operands.slice(operandsBefore)),
      ...input.texts,
    ],
    database: databaseOf(options, client, operands),
    isFile: client.isFile === true,
  }
}

const after = (verb: string, operands: readonly string[]): readonly string[] | null =>
  operands[0] === verb ? operands.slice(1) : null

function databaseOf(options: Options, client: Client, operands: readonly string[]): string {
  const [first = ''] = operands
  const named = options.values(...client.database).at(-1) ?? (client.operandsBefore === 0 ? '' : first)
  return /^\w+:\/\//.test(named) ? (/^\w+:\/\/[^/]*\/([^?]*)/.exec(named)?.[1] ?? '') : named
}

/** Whether what it does is done to something that is made to be thrown away. */
export const isThrowawayCall = ({ database }: SqlCall): boolean => database !== '' && isThrowaway(database)
