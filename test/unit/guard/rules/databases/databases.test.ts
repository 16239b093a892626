import { describe, expect, it } from 'vitest'
import { harmfulSql } from '../../../../../src/guard/rules/databases/harmful-sql.ts'
import { describeRules } from '../../../../support/describe-rules.ts'

describeRules({
  sql: {
    denied: `
      psql -c "DROP DATABASE prod"
      psql -h db -U postgres -d app -c 'drop table users'
      psql app --command="TRUNCATE orders"
      psql "postgres://u:p@db/app" -c "DELETE FROM users"
      psql -tAc "select 1; delete from users;" app
      echo "DROP TABLE users" | psql app
      psql app <<EOF⏎DROP SCHEMA public CASCADE;⏎EOF
      psql app <<< 'truncate users'
      mysql -u root -e "DROP TABLE users" app
      mysql -uroot -psecret app -e 'UPDATE users SET admin = 1'
      mariadb app --execute 'delete from users where 1=1'
      sqlite3 /var/lib/app/data.db 'DROP TABLE users'
      sqlite3 ~/data.db "delete from users"
      docker exec -i db psql -U postgres -c 'DROP DATABASE app'
      docker compose exec -T db mysql -e 'drop database app'
      kubectl exec pg-0 -- psql -c 'DROP TABLE x'
      ssh db "psql -c 'DROP DATABASE app'"
      clickhouse-client --query "DROP TABLE events"
      sqlcmd -S host -Q "DROP DATABASE app"
      cockroach sql -e 'DROP TABLE x'
      bq query --use_legacy_sql=false 'DELETE FROM d.t WHERE true'
      npx wrangler d1 execute db --command "DROP TABLE users"
      psql app -c "COPY x FROM PROGRAM 'id'"
      psql app -c '\\! id'
      psql app -c "ALTER TABLE users DROP COLUMN email"
      psql app -c 'DO $$ BEGIN TRUNCATE users; END $$'
      mysql app -e '/*!50000 DROP TABLE users */'
      psql app -c "ALTER ROLE me SUPERUSER"`,
    allowed: `
      psql -c "SELECT 1"
      psql -c "select * from drop_table_log"
      psql app -c "SELECT 'DROP TABLE users'"
      psql app -c "DELETE FROM users WHERE id = 5"
      psql app -c "UPDATE users SET a = 1 WHERE id = 5"
      psql app -c "EXPLAIN DELETE FROM users"
      psql app -c "BEGIN; DELETE FROM users; ROLLBACK;"
      psql app -c "insert into t values ('truncate')"
      psql app -c "CREATE TABLE x (id int)"
      psql app -c "DROP INDEX idx"
      psql app -f schema.sql
      bq query --dry_run 'DELETE FROM d.t WHERE true'
      psql -d app_test -c "DROP SCHEMA public CASCADE; CREATE SCHEMA public;"
      psql postgres://localhost/app_test -c 'TRUNCATE users'
      psql -c "DROP DATABASE IF EXISTS app_test"
      mysql app_test -e "DROP TABLE users"
      mysql -h localhost -e 'SHOW TABLES'
      sqlite3 dev.db 'DROP TABLE users'
      sqlite3 ./data/dev.db "delete from users"
      sqlite3 :memory: 'drop table x'
      sqlite3 /tmp/x/a.db 'drop table x'
      sqlite3 ~/data.db .tables
      echo "DROP TABLE users" > migrations/1.sql
      grep -rn "DROP TABLE" .
      git commit -m "psql -c 'DROP TABLE x'"
      echo "DROP TABLE users" | cat
      docker compose exec db psql -c '\\dt'`,
  },
  'database-tools': {
    denied: `
      dropdb app
      dropdb --if-exists -h db app
      rails db:drop
      bin/rails db:reset
      bundle exec rake db:schema:load
      npx prisma migrate reset --force
      prisma db push --force-reset
      pnpm prisma migrate reset
      php artisan migrate:fresh --seed
      php artisan db:wipe
      python manage.py flush --noinput
      python3 manage.py migrate app zero
      poetry run python manage.py flush
      mix ecto.drop
      npx sequelize-cli db:drop
      npx knex migrate:rollback --all
      npx typeorm schema:drop -d ds.ts
      alembic downgrade base
      flyway clean
      dotnet ef database drop -f
      sqlx database drop -y
      diesel database reset
      php bin/console doctrine:database:drop --force
      mysqladmin -u root drop app
      rails runner 'User.delete_all'
      ./gradlew flywayClean
      migrate -path m -database x down -all
      pg_restore --clean -d app dump.pgc
      mongorestore --drop dump
      docker compose run web rails db:drop`,
    allowed: `
      createdb app
      dropdb app_test
      dropdb --help
      RAILS_ENV=test rails db:reset
      RAILS_ENV=test bundle exec rake db:schema:load
      rails db:migrate
      rails db:rollback
      NODE_ENV=test npx prisma migrate reset --force
      npx prisma migrate dev
      npx prisma generate
      php artisan migrate
      php artisan migrate:fresh --env=testing
      python manage.py migrate
      python manage.py test
      MIX_ENV=test mix ecto.reset
      alembic upgrade head
      alembic downgrade -1
      knex migrate:latest
      sqlx migrate run
      pg_dump app
      mysqladmin ping`,
  },
  stores: {
    denied: `
      redis-cli FLUSHALL
      redis-cli -h cache -p 6379 flushdb
      redis-cli -n 2 FLUSHDB ASYNC
      echo FLUSHALL | redis-cli
      redis-cli SHUTDOWN NOSAVE
      redis-cli eval "redis.call('flushall')" 0
      redis-cli CONFIG SET dir /root/.ssh
      redis-cli --scan --pattern 'a*' | xargs redis-cli DEL
      docker exec cache redis-cli FLUSHALL
      mongosh app --eval 'db.dropDatabase()'
      mongo app --eval "db.users.drop()"
      mongosh app --eval 'db.users.deleteMany({})'
      echo flush_all | nc localhost 11211`,
    allowed: `
      redis-cli GET k
      redis-cli DEL k
      redis-cli --scan
      redis-cli SET note FLUSHALL
      redis-cli CONFIG GET maxmemory
      mongosh app --eval 'db.users.find()'
      mongosh app --eval 'db.users.deleteMany({ id: 1 })'
      mongosh app_test --eval 'db.dropDatabase()'
      echo stats | nc localhost 11211
      echo FLUSHALL`,
  },
})

describe('a long text of SQL', () => {
  const parts = ['update a ', 'DELETE FROM a ', '( DROP TABLE ', "drop '", '/*drop', '--drop', 'COPY PROGRAM ', 'drop;']
  it.each(parts)('of %s is read at once', (part) => {
    const started = performance.now()
    harmfulSql(part.repeat(1_000_000 / part.length))
    expect(performance.now() - started).toBeLessThan(1000)
  })

  it('is denied where it says more than anybody writes', () => {
    expect(harmfulSql('insert into a values (1);'.repeat(10_000))).toBeNull()
    expect(harmfulSql(`${'insert into a values (1);'.repeat(10_000)} drop table a`)).not.toBeNull()
  })
})
