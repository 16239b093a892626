import { describe, expect, it } from 'vitest'
import { matchNames, namesIn } from '../../../src/process/name-patterns.ts'

describe('matchNames', () => {
  it.each([
    ['AWS_*', 'AWS_SECRET_ACCESS_KEY', true],
    ['AWS_*', 'AWS_', true],
    ['AWS_*', 'MY_AWS_KEY', false],
    ['*_TOKEN', 'GH_TOKEN', true],
    ['*_TOKEN', '_TOKEN', true],
    ['*_TOKEN', 'TOKEN', false],
    ['*_TOKEN', 'GH_TOKEN_FILE', false],
    ['*', 'ANYTHING', true],
    ['A*B*C', 'AxBxC', true],
    ['A*B*C', 'ABC', true],
    ['A*B*C', 'AC', false],
    ['A*B*C', 'ACxBx', false],
    ['A*BB*B', 'ABB', false],
    ['AA*A', 'AA', false],
    ['A**C', 'ABC', true],
    ['PATH', 'PATHS', false],
    ['npm_config_script_shell', 'NPM_CONFIG_script-shell', true],
    ['a.c', 'abc', false],
  ])('%s means %s: %s', (pattern, name, expected) => {
    expect(matchNames([pattern])(name)).toBe(expected)
  })

  it('means any of several, and nothing without a pattern', () => {
    expect(['A', 'BX', 'C'].filter(matchNames(['A', 'B*']))).toEqual(['A', 'BX'])
    expect(matchNames([])('')).toBe(false)
  })

  it('is linear for a pattern made to be slow', () => {
    const started = performance.now()
    expect(matchNames([`${'*a'.repeat(50)}*b`])('a'.repeat(100_000))).toBe(false)
    expect(performance.now() - started).toBeLessThan(1000)
  })
})

it('namesIn takes a line apart', () => expect(namesIn('A B_* C')).toEqual(['A', 'B_*', 'C']))
