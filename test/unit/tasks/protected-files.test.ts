import { describe, expect, it } from 'vitest'
import { allCommands, protectedBy } from '../../../src/tasks/protected-files.ts'
import { list, story } from '../../support/task-list.ts'

const tracked = new Set([
  'test.sh',
  'scripts/check.sh',
  'web/run.mjs',
  'a b.sh',
  'src',
  'vitest.config.ts',
  'package.json',
])
const files = (...commands: string[]) => [...protectedBy(commands, tracked, null).files].sort()

describe('protected files', () => {
  it.each([
    ['sh test.sh', ['test.sh']],
    ['./test.sh --fast', ['test.sh']],
    ['bash scripts/check.sh && sh "./test.sh"', ['scripts/check.sh', 'test.sh']],
    ['cat test.sh|sh; scripts//check.sh', ['scripts/check.sh', 'test.sh']],
    ["sh 'a b.sh'", ['a b.sh']],
    ['sh a\\ b.sh', ['a b.sh']],
    ['vitest run --config=vitest.config.ts', ['vitest.config.ts']],
    ['cd web && node run.mjs', ['web/run.mjs']],
    ['cd web/../scripts; sh check.sh', ['scripts/check.sh']],
    ['sh other.sh', []],
    ['npm test', []],
    // What a check writes itself is none, unless another names it to read.
    ['sh other.sh > test.sh 2>&1', []],
    ['sh other.sh >>test.sh', []],
    ['pytest --junitxml=test.sh', []],
    ['vitest run --outputFile.junit test.sh', []],
    ['gcc -o test.sh other.c && ./test.sh', ['test.sh']],
    ['vitest --reporter=./test.sh', ['test.sh']],
  ])('%s', (command, expected) => expect(files(command)).toEqual(expected))

  it('come from the checks of the list and of its stories', () => {
    const commands = allCommands(
      list([story('A', { verifyCommands: ['sh test.sh'] })], { verifyCommands: ['npm test'] }),
    )
    expect(commands).toEqual(['npm test', 'sh test.sh'])
  })
})

describe('protected scripts', () => {
  const packageJson = JSON.stringify({ scripts: { test: 'vitest', lint: 'oxlint', build: 'tsc', odd: 7 } })
  const scripts = (command: string) => [...protectedBy([command], tracked, packageJson).scripts.keys()].sort()
  it.each([
    ['npm test', ['test']],
    ['npm t', ['test']],
    ['npm run lint', ['lint']],
    ['npm run-script lint -- --fix', ['lint']],
    ['npm --silent run lint', ['lint']],
    ['npm --prefix web test', ['test']],
    ['pnpm lint && yarn test; bun run build', ['build', 'lint', 'test']],
    ['CI=1 /usr/bin/npm test', ['test']],
    ['npm --version; lint', []],
    ['npm ci && lint', []],
    ['npx vitest', []],
    ['npm run odd', []],
    ['npm ci', []],
    ['npm run nothing', []],
  ])('%s', (command, expected) => expect(scripts(command)).toEqual(expected))

  it('are found beside any package name, and after a byte order mark', () => {
    const text = '\ufeff{"scripts":{"test":"vitest"},"dependencies":{"prototype":"1","constructor":"1"}}'
    expect([...protectedBy(['npm test'], tracked, text).scripts]).toEqual([['test', 'vitest']])
  })

  it('are none where package.json is missing or broken', () => {
    expect(protectedBy(['npm test'], tracked, null).scripts.size).toBe(0)
    expect(protectedBy(['npm test'], tracked, '{').scripts.size).toBe(0)
    expect(protectedBy(['npm test'], tracked, '{"scripts":[]}').scripts.size).toBe(0)
  })
})
