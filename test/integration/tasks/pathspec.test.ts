import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { matcherOf } from '../../../src/tasks/pathspec.ts'

/** Our matcher is git's: the same files for the same pathspecs, asked of git itself. */
const files =
  'a b.ts src/a.ts src/b.js src/deep/a.ts src/deep/er/x test/a.test.ts Test/A.TS docs/[x].md docs/x.md docs/*.md a-b/c srcx'
    .split(' ')
    .concat('test/fixtures/a b.json', '.github/workflows/ci.yml', 'back\\slash')
let repository: string

beforeAll(() => {
  repository = mkdtempSync(join(tmpdir(), 'ralph-pathspec-'))
  execFileSync('git', ['init', '-q', repository])
  for (const file of files) {
    mkdirSync(join(repository, dirname(file)), { recursive: true })
    writeFileSync(join(repository, file), '')
  }
  execFileSync('git', ['-C', repository, 'add', '-A'])
})
afterAll(() => rmSync(repository, { recursive: true, force: true }))

/** What git says, or null where it refuses the pathspec. */
function byGit(pathspecs: readonly string[]): string[] | null {
  try {
    const output = execFileSync('git', ['-C', repository, 'ls-files', '-z', '--', ...pathspecs], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return output.split('\0').filter(Boolean).sort()
  } catch {
    return null
  }
}
const byUs = (pathspecs: readonly string[]) => files.filter(matcherOf(pathspecs)).sort()

it.each([
  [['src']],
  [['src/']],
  [['./src//deep/']],
  [['src/*.ts']],
  [['*.ts']],
  [['**/*.ts']],
  [[':(glob)*.ts']],
  [[':(glob)**/*.ts']],
  [[':(glob)src/**']],
  [[':(glob)src/**/x']],
  [[':(glob)**']],
  [[':(glob)s**/a.ts']],
  [['src/dee?']],
  [['src/[a-c].*']],
  [['src/[!a].*']],
  [['docs/[[]x].md']],
  [['docs/\\*.md']],
  [[':(literal)docs/*.md']],
  [['docs/[x].md']],
  [[':(icase)test/a.ts']],
  [[':(icase,glob)TEST/*']],
  [['src', ':!src/deep']],
  [['src', ':^src/deep', ':(exclude)*.js']],
  [[':!src']],
  [[':/src']],
  [[':(top)test']],
  [['[[:upper:]]*']],
  [['.github']],
  [['nothing']],
  [['a-b/c/']],
])('%j', (pathspecs) => {
  expect(byGit(pathspecs)).not.toBeNull()
  expect(byUs(pathspecs)).toEqual(byGit(pathspecs))
})

it('whatever the pattern', () => {
  const piece = fc.constantFrom(
    '*',
    '**',
    '?',
    '/',
    'a',
    's',
    'src',
    'deep',
    '.ts',
    'x',
    '[a-s]',
    '[!a]',
    'docs',
    '\\*',
    'test',
  )
  const magic = fc.constantFrom('', '', ':(glob)', ':(literal)', ':(icase)', ':!', ':(exclude,glob)', ':/')
  const spec = fc
    .tuple(magic, fc.array(piece, { minLength: 1, maxLength: 5 }))
    .map(([magic, parts]) => magic + parts.join(''))
  const asked = fc.array(spec, { minLength: 1, maxLength: 2 })
  const seed = Number(process.env['RALPH_SEED'] ?? 20_261_116)
  fc.assert(
    fc.property(asked, (pathspecs) => {
      const expected = byGit(pathspecs)
      fc.pre(expected !== null)
      expect(byUs(pathspecs)).toEqual(expected)
    }),
    { numRuns: Number(process.env['RALPH_RUNS'] ?? 400), seed },
  )
})
