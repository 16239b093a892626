import { describe, expect, it } from 'vitest'
import { hasEntry, parseStat, wasInExec } from '../../../src/process/linux-processes.ts'

const rest = '1 4242 4242 0 -1 4194304 100 0 0 0 0 0 0 0 20 0 1 0 987654 1000 10'

describe('parseStat', () => {
  it('reads a process whose name looks like the rest of the line', () => {
    expect(parseStat(`4242 (a) Z 9 (9) S ${rest}\n`)).toEqual({
      pid: 4242,
      ppid: 1,
      groupId: 4242,
      sessionId: 4242,
      startTime: 987_654,
      ended: false,
    })
  })

  it('knows a zombie', () => {
    expect(parseStat(`4242 (sh) Z ${rest}\n`)?.ended).toBe(true)
  })

  it('gives nothing for a line that was cut off', () => {
    expect(parseStat('4242 (sh) S 1 2')).toBe(null)
    expect(parseStat('')).toBe(null)
  })
})

describe('wasInExec', () => {
  /** proc(5): flags are field 9, the environment lies between fields 50 and 51. */
  const stat = (state: string, flags: number, environment: string): string =>
    `42 (sh) ${state} 1 42 42 0 -1 ${flags} ${'0 '.repeat(12)}987654 ${'7 '.repeat(27)}${environment} 0\n`

  it.each([
    ['one that has no place for an environment yet', stat('R', 4_194_304, '0 0'), true],
    ['one that has got an environment since', stat('S', 4_194_304, '100 200'), true],
    ['one whose environment is empty for good', stat('S', 4_194_304, '100 100'), false],
    ['a thread of the kernel', stat('I', 0x20_80_40, '0 0'), false],
    ['one that is dying', stat('R', 4_194_308, '0 0'), false],
    ['one that has ended', stat('Z', 4_194_304, '0 0'), false],
    ['one that is gone', '', false],
  ])('%s', (_, text, is) => {
    expect(wasInExec(text)).toBe(is)
  })
})

describe('hasEntry', () => {
  const has = (environ: string): boolean => hasEntry(Buffer.from(environ), Buffer.from('RALPH_RUN_ID=1'))

  it.each(['RALPH_RUN_ID=1', 'RALPH_RUN_ID=1\0', 'A=b\0RALPH_RUN_ID=1\0C=d\0', 'X=RALPH_RUN_ID=1\0RALPH_RUN_ID=1\0'])(
    'finds the entry in %j',
    (environ) => expect(has(environ)).toBe(true),
  )

  it.each(['', 'RALPH_RUN_ID=12\0', 'X_RALPH_RUN_ID=1\0', 'X=RALPH_RUN_ID=1\0', 'RALPH_RUN_ID=\0', 'RALPH_RUN_ID\0'])(
    'does not find it in %j',
    (environ) => expect(has(environ)).toBe(false),
  )
})
