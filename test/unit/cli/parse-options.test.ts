import { describe, expect, it } from 'vitest'
import type { CommandSpec } from '../../../src/cli/command.ts'
import { parseOptions } from '../../../src/cli/parse-options.ts'

const command: CommandSpec = {
  name: 'run',
  args: ['[task]'],
  summary: '',
  example: '',
  options: [
    { flags: '-n, --max-iterations <n>', description: 'at most', default: '15' },
    { flags: '--check <cmd>', description: 'must pass', repeatable: true },
    { flags: '--no-branch', description: 'stay' },
  ],
}

async function parse(...words: string[]) {
  const result = await parseOptions(command, words)
  return result.ok ? result.value : result.error
}

describe('the options of a command', () => {
  it('have their defaults', async () => {
    expect(await parse()).toEqual({ args: [], options: { maxIterations: '15', check: [], branch: true } })
  })

  it('are read under their camel-case names, repeated ones as a list', async () => {
    expect(await parse('-n', '3', '--check', 'a', '--check=b c', '--no-branch', '-V')).toEqual({
      args: [],
      options: { maxIterations: '3', check: ['a', 'b c'], branch: false, verbose: true },
    })
  })

  it('do not remember an earlier command line', async () => {
    await parse('--check', 'first')
    expect(await parse('--check', 'second')).toMatchObject({ options: { check: ['second'] } })
  })

  it('may stand on either side of the arguments', async () => {
    expect(await parse('task', '-n', '3')).toMatchObject({ args: ['task'], options: { maxIterations: '3' } })
    expect(await parse('-n', '3', 'task')).toMatchObject({ args: ['task'] })
    expect(await parse('--', '-n')).toMatchObject({ args: ['-n'] })
  })

  it.each([
    [['--chek', 'x'], "Unknown option '--chek' (Did you mean --check?)"],
    [['--check'], "Option '--check <cmd>' argument missing."],
    [['one', 'two'], 'Too many arguments. Expected 1 argument but got 2.'],
  ])('%j is refused in one sentence', async (words, message) => {
    expect(await parse(...words)).toEqual({
      reason: 'usage',
      message,
      fix: 'Run "ralph run --help" for what it takes.',
    })
  })

  it('do not end the program themselves when they are wrong', async () => {
    const before = process.exitCode
    await parse('--nonsense')
    expect(process.exitCode).toBe(before)
  })
})

describe('required arguments', () => {
  it('are asked for', async () => {
    const result = await parseOptions({ name: 'guard', args: ['<cmd>'], summary: '', example: '' }, [])
    expect(result).toMatchObject({ ok: false, error: { message: "Missing required argument 'cmd'." } })
  })
})
