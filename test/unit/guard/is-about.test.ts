import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isAmong, withWords, worded } from '../../../src/guard/among.ts'
import { isAbout, namesAround } from '../../../src/guard/is-about.ts'
import type { Rule } from '../../../src/guard/rule.ts'
import { rules } from '../../../src/guard/rules.ts'
import { traceScript, type Ran } from '../../../src/guard/shell/trace.ts'
import { guardedPlace } from '../../support/guarded-place.ts'

const place = guardedPlace()
const bound = rules.filter(({ programs }) => programs !== undefined)

/** Whatever stands in quotes in the tests of rules; most of it are commands. */
function textsOfTests(): string[] {
  const folder = join(import.meta.dirname, 'rules')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .flatMap((text) => Array.from(text.matchAll(/'((?:[^'\\\n]|\\.)+)'|"([^"\\\n]+)"|`([^`\\$]+)`/g)))
    .map(([, single, double, template]) => single?.replaceAll(String.raw`\'`, "'") ?? double ?? template ?? '')
}

/** Each command as it is, through something that runs it, and under a name that no rule knows. */
function commandsOf(text: string): Ran[] {
  const { ran } = traceScript(text, place)
  const through = traceScript(`sudo npm exec -- ${text}`, place).ran
  const renamed = ran.map((command): Ran => Object.assign({}, command, { name: 'zzz', word: 'zzz' }))
  return [...ran, ...through, ...renamed]
}

describe('the programs of a rule', () => {
  it('are all of which it says anything', { timeout: 120_000 }, () => {
    const texts = textsOfTests()
    expect(texts.length).toBeGreaterThan(500)
    const missed: string[] = []
    for (const text of texts) {
      const commands = commandsOf(text)
      for (const command of commands) {
        const names = namesAround(command, place)
        for (const rule of bound) {
          if (isAbout(rule, names)) continue
          if ((rule.forbids?.(command, place) ?? null) !== null) missed.push(`${rule.name}: ${command.name} in ${text}`)
        }
      }
      const all = commands.flatMap((command) => namesAround(command, place))
      for (const rule of bound) {
        if (isAbout(rule, all)) continue
        if ((rule.forbidsTogether?.(commands, place) ?? null) !== null) missed.push(`${rule.name}: ${text}`)
      }
    }
    expect(missed).toEqual([])
  })

  it('have words only where they are looked at', () => {
    const programs = bound.flatMap((rule) => rule.programs?.split(' ') ?? []).filter((word) => word.includes('/'))
    expect(programs.filter((word) => !isAmong(worded, word.replace(/\/.*/, '')))).toEqual([])
  })

  it('are names as commands have them', () => {
    for (const { name, programs = '' } of bound) {
      expect([
        name,
        programs.split(' ').filter((word) => !/^(?:[a-z0-9._+{[-]+\*?|=|[a-z]+\/(?:[a-z-]+\*?|:)?)$/.test(word)),
      ]).toEqual([name, []])
    }
  })
})

describe('a rule is asked about a command', () => {
  const rule = (programs: string): Rule => ({ name: 'x', category: 'cloud', why: '', instead: '', programs })
  const names = (text: string): readonly string[] =>
    namesAround(traceScript(text, place).ran.at(-1) ?? expect.fail(), place)

  it.each([
    ['that is one of its programs', 'rm a', 'mv rm'],
    ['whose name begins like one', 'python3.11 a.py', 'rm python*'],
    ['that runs one', 'docker exec web psql', 'psql'],
    ['that is run by one', 'sudo ls', 'sudo'],
    ['that is fed by one', 'env | sort', 'env'],
    ['that has the output of one in its words', 'kill $(pgrep node)', 'pgrep'],
    ['that has variables set for it', 'A=b make', '='],
    ['that has one of its words', 'npm --quiet Publish', withWords('npm', ['publish'])],
    ['that has one behind what runs it', 'docker exec web npm publish', withWords('npm', ['publish'])],
    ['that has too many words', `npm ${'a '.repeat(60)}`, withWords('npm', ['publish'])],
    ['that has an address', 'npm i git+http://a.example/b', withWords('npm', [':'])],
  ])('%s', (_, command, programs) => {
    expect(isAbout(rule(programs), names(command))).toBe(true)
  })

  it.each([
    ['of another name', 'ls', 'rm ls-files als'],
    ['that has one only among its words', 'grep rm', 'rm'],
    ['that has none set', 'make A=b', '='],
    ['that has none of its words', 'npm run publisher', withWords('npm', ['publish', ':'])],
  ])('not %s', (_, command, programs) => {
    expect(isAbout(rule(programs), names(command))).toBe(false)
  })
})
