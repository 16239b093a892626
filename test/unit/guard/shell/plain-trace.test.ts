import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { othersRunning } from '../../../../src/guard/shell/others-running.ts'
import { runningByOption } from '../../../../src/guard/shell/run-by-option.ts'
import { traceFully } from '../../../../src/guard/shell/trace-fully.ts'
import { traceScript } from '../../../../src/guard/shell/trace.ts'
import { allTouches, touching } from '../../../../src/guard/targets/all-touches.ts'
import { touchesOf } from '../../../../src/guard/targets/touches-of.ts'
import { guardedPlace } from '../../../support/guarded-place.ts'
import { seeded } from '../../../support/hostile-text.ts'

const place = guardedPlace()

/** Every name that the guard knows something about, and others. */
const names = [
  ...`${othersRunning} ${touching}`.split(' ').map((name) => name.replace('*', '3')),
  ...'ls npm git hub cd pushd export alias read set shift printf echo pwd source . kill a ./rm /bin/sh GIT ld-linux.so.2'.split(
    ' ',
  ),
]
const words = [
  ...'a ./b /c -c -e -x -n -m -o --exec --eval --tree-filter --extcmd --run --command -- rm ls sh run exec x test status'.split(
    ' ',
  ),
  ...'rebase submodule foreach bisect run rm mv show cat-file hash-object --no-index HEAD:a.env rev-parse -t -f --file'.split(
    ' ',
  ),
]
const plain = fc
  .tuple(fc.constantFrom(...names), fc.array(fc.constantFrom(...words, ...names), { maxLength: 6 }))
  .map(([name, rest]) => [name, ...rest].join(' '))

describe('a command of plain words', () => {
  it('is read like any other script', () => {
    fc.assert(
      fc.property(plain, (text) => {
        expect(traceScript(text, place)).toEqual(traceFully(text, place))
      }),
      seeded(3000),
    )
  })

  it('touches what it would touch if nobody asked for its name first', () => {
    fc.assert(
      fc.property(plain, (text) => {
        for (const script of [text, `find . | xargs ${text}`, `${text} < a`]) {
          for (const command of traceFully(script, place).ran) expect(touchesOf(command)).toEqual(allTouches(command))
        }
      }),
      seeded(2000),
    )
  })

  it.each(['npm test', 'git status', 'ls -la src', 'cargo build'])(
    'is not followed where it runs nothing: %s',
    (text) => {
      expect(traceScript(text, place).ran).toHaveLength(1)
    },
  )
})

it('the programs that run something by an option are those of which the function knows', () => {
  const source = readFileSync(new URL('../../../../src/guard/shell/run-by-option.ts', import.meta.url), 'utf8')
  const known = [...source.matchAll(/^ +case '(.+)':$/gm)].map(([, name = '']) => name)
  expect([...runningByOption.split(' '), 'git'].toSorted()).toEqual(known.toSorted())
})
