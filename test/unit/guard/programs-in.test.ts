import { expect, it } from 'vitest'
import { programsIn } from '../../../src/guard/programs-in.ts'
import { traceScript } from '../../../src/guard/shell/trace.ts'
import { guardedPlace } from '../../support/guarded-place.ts'

const place = guardedPlace()

/** The last command that the first one of a script runs, as words. */
function lastIn(script: string): string {
  const [first] = traceScript(script, place).ran
  const last = first === undefined ? undefined : programsIn(first, place).at(-1)
  return last === undefined ? '' : [last.name, ...last.args].join(' ')
}

it.each([
  ['docker exec -it -u root db psql -c x', 'psql -c x'],
  ['docker compose -f a.yml exec -T db psql -c x', 'psql -c x'],
  ['docker run --rm -v a:b alpine sh -c "psql -c x"', 'psql -c x'],
  ['kubectl -n n exec pod -c c -- psql -c x', 'psql -c x'],
  ['ssh -p 22 me@host "cd x && psql -c x"', 'psql -c x'],
  ['pnpm prisma migrate reset', 'prisma migrate reset'],
  ['yarn run prisma migrate reset', 'prisma migrate reset'],
  ['npm exec -- prisma migrate reset', 'prisma migrate reset'],
  ['python3 -m twine upload x', 'twine upload x'],
  ['python3 manage.py flush', 'manage.py flush'],
  ['php artisan db:wipe', 'artisan db:wipe'],
  ['docker exec db ssh host psql -c x', 'psql -c x'],
])('%s runs %s', (script, words) => expect(lastIn(script)).toBe(words))

it.each(['docker ps', 'ssh host', 'python3 -c "print(1)"', 'npm install prisma', 'kubectl get pods', 'node -e 1'])(
  '%s runs nothing else',
  (script) => expect(lastIn(script)).toBe(script.replaceAll('"', '')),
)

it('hands on what the outer one has: its input, its environment', () => {
  const [, command] = traceScript('echo x | A=b docker exec -i db psql', place).ran
  const inner = command === undefined ? undefined : programsIn(command, place).at(-1)
  expect(inner?.name).toBe('psql')
  expect(inner?.environment.get('A')).toEqual(['b'])
  expect(inner?.input.texts.join('')).toContain('x')
})
