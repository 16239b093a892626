import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../src/base/json.ts'
import { decide } from '../../../src/guard/decide.ts'
import { readToolCall } from '../../../src/guard/tool-call.ts'
import { guardedPlace, project } from '../../support/guarded-place.ts'
import { hostileText, seeded } from '../../support/hostile-text.ts'

const sample = JSON.parse(
  readFileSync(new URL('../../fixtures/hooks/pre-tool-use-bash.json', import.meta.url), 'utf8'),
) as JsonObject
const place = guardedPlace()

/** What shells are made of. */
const pieces = [
  `' " \` $ ( ) { } [ ] < > | & ; \\ # ~ * ? ! = , : - -- / .. $( \${ $(( << <<- <<< <( >( && || ;; >| &> $' $"`,
  'rm echo cd eval sh -c case esac for in do find -exec git sudo A= $A .ralph-active ralph/prd.md',
]
  .flatMap((line) => line.split(' '))
  .concat(' ', ' ', '\n', '\\\n', 'EOF\n')
const shellish = fc
  .array(fc.oneof(fc.constantFrom(...pieces), hostileText), { maxLength: 60 })
  .map((all) => all.join(''))

describe('whatever a call is, the guard', { timeout: 60_000 }, () => {
  it('answers', () => {
    fc.assert(
      fc.property(shellish, (command) => {
        expect(['allow', 'deny']).toContain(decide({ kind: 'shell', command }, place).decision)
        expect(['allow', 'deny']).toContain(decide({ kind: 'write', path: command }, place).decision)
      }),
      seeded(600),
    )
  })

  it('denies what follows something harmless on a line of its own', () => {
    // Anything in single quotes is one word to every shell.
    const harmless = shellish.map((text) => `echo '${text.replaceAll("'", '')}'`)
    fc.assert(
      fc.property(harmless, (before) => {
        expect(decide({ kind: 'shell', command: `${before}\nrm .ralph-active` }, place).decision).toBe('deny')
        expect(decide({ kind: 'shell', command: before }, place).decision).toBe('allow')
      }),
      seeded(400),
    )
  })

  it('takes a quoted here-document for data', () => {
    const lines = shellish.map((text) => text.replaceAll('EOF', ''))
    fc.assert(
      fc.property(lines, (text) => {
        const command = (last: string) => `cat > notes.md <<'EOF'\n${text}\nEOF\n${last}`
        expect(decide({ kind: 'shell', command: command('true') }, place).decision).toBe('allow')
        expect(decide({ kind: 'shell', command: command('rm .ralph-active') }, place).decision).toBe('deny')
      }),
      seeded(400),
    )
  })

  it('answers input of any shape, and denies where it does not say what is run', () => {
    const anything: fc.Arbitrary<Json> = fc.oneof(
      fc.constantFrom<Json>(null, true, 0, -1, '', [], {}, { command: 'true' }, { command: null }, ['rm']),
      hostileText,
    )
    const mutated = fc
      .tuple(fc.constantFrom(...Object.keys(sample), 'extra'), anything)
      .map(([key, value]): JsonObject => Object.assign(structuredClone(sample), { [key]: value }))
    fc.assert(
      fc.property(mutated, (input) => {
        const { decision } = decide(readToolCall(input), place)
        const given = input['tool_input'] as JsonObject | null
        if (input['tool_name'] === 'Bash' && typeof given?.['command'] !== 'string') expect(decision).toBe('deny')
      }),
      seeded(400),
    )
  })

  it('is not deceived by how a path is written', () => {
    const detour = fc.constantFrom('./', '/', 'src/../', './/', '../project/', '')
    fc.assert(
      fc.property(fc.array(detour, { maxLength: 5 }), fc.boolean(), (detours, upper) => {
        const path = `${project}/${detours.join('')}ralph/${upper ? 'PRD.MD' : 'prd.md'}`
        expect(decide({ kind: 'write', path }, place)).toMatchObject({ rule: 'people-only-file' })
      }),
      seeded(200),
    )
  })
})

describe('a megabyte of', { timeout: 60_000 }, () => {
  const megabyte = (text: string): string => text.repeat(Math.ceil(1_000_000 / text.length))
  /** What the kernel takes as one argument is read; anything longer is denied. */
  const largest = (text: string): string => megabyte(text).slice(0, 128 * 1024 - 10)
  const doubled = `A=aaaaaaaa;${megabyte('A=$A$A;')}rm $A`
  const repeated = ['a', '$(', '"', "'", '`', '{', '{a,', '{a}', '[', '*a', '> x ', '<<A ', '<<A\n', 'cd a;', 'A=$A$A;']
  const others = [
    '(a)',
    '\\',
    'a/',
    '../',
    'case a in a) ',
    '${a:-',
    ';',
    '\n',
    '#\n',
    'eval ',
    'sh -c a;',
    '-exec rm {} + ',
    '$[',
    '$((',
    '@(',
    'f() ',
    'coproc ',
    '{1..',
    '"$(',
    '<(',
  ]

  it.each([...repeated, ...others, doubled].map((text) => [text.slice(0, 20), text] as const))(
    '%j is answered at once',
    (_, text) => {
      const commands = ['', 'rm ', 'find . ', 'cat <<X\n'].map((start) => start + largest(text))
      const start = process.cpuUsage()
      for (const command of commands) decide({ kind: 'shell', command }, place)
      // It takes 0.1 s for all of them; anything but a scan takes minutes.
      expect(process.cpuUsage(start).user / 1000).toBeLessThan(3000)
    },
  )

  it('anything is denied, because no shell is given that much', () => {
    const call = { kind: 'shell', command: `echo ${megabyte('a')}` } as const
    expect(decide(call, place)).toMatchObject({ decision: 'deny', rule: 'unreadable-call' })
  })
})
