import { programsIn } from '../../programs-in.ts'
import type { Rule } from '../../rule.ts'
import type { Ran } from '../../shell/trace.ts'
import { harmfulVerb, isHarmless, verbGrammar, type VerbGrammar } from '../../verbs.ts'
import { isThrowaway } from './harmful-sql.ts'

export const databaseTools: Rule = {
  name: 'database-tools',
  category: 'databases',
  why: 'It removes all data of a database, and nothing here can bring it back.',
  instead: 'Do it to a database of your own, for tests: `RAILS_ENV=test`, `NODE_ENV=test`, or a name like `app_test`.',
  get programs() {
    return [...programs.keys(), ...'dropdb dropuser pg_restore mongorestore alembic flask'.split(' ')].join(' ')
  },
  forbids(command, place) {
    for (const program of programsIn(command, place)) {
      const what = isForTests(program) ? null : harmOf(program)
      if (what !== null) return `would remove data (${program.name} ${what})`
    }
    return null
  },
}

const tasks =
  'db:drop db:drop:* db:reset db:purge db:purge:* db:truncate_all db:schema:load db:structure:load db:migrate:reset db:rollback:all db:setup:reset db:wipe db:fresh'

const programs: ReadonlyMap<string, VerbGrammar> = new Map<string, VerbGrammar>([
  ...['rails', 'rake', 'hanami', 'sequelize', 'sequelize-cli'].map(
    (name) => [name, verbGrammar(`${tasks} db:migrate:undo:all`)] as const,
  ),
  ['prisma', verbGrammar('migrate/reset', { valued: '--schema' })],
  ['artisan', verbGrammar('migrate:fresh migrate:reset migrate:refresh db:wipe tenants:migrate-fresh')],
  ['console', verbGrammar('doctrine:database:drop doctrine:schema:drop')],
  ['manage.py', verbGrammar('flush reset_db sqlflush_run', { valued: '--settings --database' })],
  ['django-admin', verbGrammar('flush reset_db', { valued: '--settings --pythonpath' })],
  ['mix', verbGrammar('ecto.drop ecto.reset')],
  ['knex', verbGrammar('migrate:rollback:all', { valued: '--knexfile --env' })],
  ['typeorm', verbGrammar('schema:drop', { valued: '-d --dataSource' })],
  ['typeorm-ts-node-commonjs', verbGrammar('schema:drop', { valued: '-d --dataSource' })],
  ['mikro-orm', verbGrammar('schema:drop schema:fresh database:drop migration:fresh', { valued: '--config' })],
  ['ace', verbGrammar('migration:fresh migration:reset migration:refresh db:wipe db:truncate')],
  ['flyway', verbGrammar('clean')],
  ...['mvn', 'mvnw', 'gradle', 'gradlew'].map(
    (name) => [name, verbGrammar('flyway:clean flywayclean liquibase:dropall', { depth: 20 })] as const,
  ),
  ['liquibase', verbGrammar('drop-all dropall')],
  ['ef', verbGrammar('database/drop')],
  ['dotnet', verbGrammar('database/drop')],
  ['dotnet-ef', verbGrammar('database/drop')],
  ['diesel', verbGrammar('database/reset database/drop', { valued: '--database-url' })],
  ['sqlx', verbGrammar('database/drop database/reset db/drop db/reset', { valued: '-D --database-url' })],
  ['sea-orm-cli', verbGrammar('migrate/fresh migrate/reset migrate/refresh')],
  ['goose', verbGrammar('reset', { valued: '-dir -table', depth: 5 })],
  ['migrate', verbGrammar('drop', { valued: '-path -database -source' })],
  ['dbmate', verbGrammar('drop', { valued: '-u --url -d --migrations-dir' })],
  ['atlas', verbGrammar('schema/clean', { valued: '-u --url' })],
  ['mysqladmin', verbGrammar('drop shutdown flush-*', { valued: '-h --host -u --user -P --port -S --socket' })],
  ['wp', verbGrammar('db/drop db/reset db/clean site/empty')],
  ['drush', verbGrammar('sql:drop sql-drop site:install si')],
  ['influx', verbGrammar('delete bucket/delete org/delete')],
  ['hasura', verbGrammar('metadata/clear')],
  ['surreal', verbGrammar('remove')],
])

function harmOf({ name, args }: Ran): string | null {
  if (isHarmless(args)) return null
  if (name === 'dropdb' || name === 'dropuser') {
    const target = args.findLast((arg) => !arg.startsWith('-')) ?? ''
    return isThrowaway(target) ? null : target
  }
  if (name === 'pg_restore' && hasLong(args, '-c', '--clean') && !hasLong(args, '-f', '--file')) return '--clean'
  if (name === 'mongorestore' && args.includes('--drop')) return '--drop'
  if (name === 'prisma' && args.includes('push') && hasLong(args, '--force-reset', '--accept-data-loss'))
    return 'db push --force-reset'
  if (name === 'knex' && args.includes('migrate:rollback') && args.includes('--all')) return 'migrate:rollback --all'
  if ((name === 'alembic' || name === 'flask') && args.includes('downgrade') && args.includes('base'))
    return 'downgrade base'
  if (name === 'rails' && /^(?:runner|r)$/.test(args[0] ?? '') && args.some((arg) => emptying.test(arg)))
    return 'runner'
  if (name === 'migrate' && args.includes('down') && hasLong(args, '-all', '--all')) return 'down -all'
  if (name === 'manage.py' && args.includes('migrate') && args.includes('zero')) return 'migrate zero'
  const grammar = programs.get(name)
  return grammar === undefined ? null : harmfulVerb(args, grammar)
}

/** What empties tables in code of Rails. */
const emptying = /\b(?:delete_all|destroy_all|drop_table|drop_database|truncate(?:_tables?)?)\b/

const hasLong = (args: readonly string[], ...names: readonly string[]): boolean =>
  names.some((name) => args.includes(name))

const environments = [
  'RAILS_ENV',
  'RACK_ENV',
  'NODE_ENV',
  'APP_ENV',
  'MIX_ENV',
  'DJANGO_ENV',
  'ENV',
  'FLASK_ENV',
  'DOTENV_CONFIG_PATH',
  'DATABASE_URL',
  'PGDATABASE',
  'DJANGO_SETTINGS_MODULE',
  'ASPNETCORE_ENVIRONMENT',
]

/** The environment or an option says that the data is for tests. */
function isForTests({ args, environment }: Ran): boolean {
  if (environments.some((name) => environment.get(name)?.some(isThrowaway) === true)) return true
  return args.some((arg, index) => {
    const before = args[index - 1] ?? ''
    if (/^(?:--env|-e|--environment|--settings|--database|--database-url|-D|-u|--url|--schema|--db)$/.test(before))
      return isThrowaway(arg)
    return (
      /^(?:--(?:env|environment|settings|database|database-url|url|schema|db)|RAILS_ENV)=/.test(arg) &&
      isThrowaway(arg.slice(arg.indexOf('=') + 1))
    )
  })
}
