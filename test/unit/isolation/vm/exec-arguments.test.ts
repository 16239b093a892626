import { describe, expect, it } from 'vitest'
import { execArguments } from '../../../../src/isolation/vm/exec-arguments.ts'

const request = { argv: ['claude', '-p'] as [string, ...string[]], cwd: '/p', env: {}, runId: 'r1' }
const given = { file: '/tmp/f', client: { HOME: '/home/me', PATH: '/bin' } }

describe('execArguments', () => {
  it('names variables and leaves their values to the environment of the client', () => {
    const { words, env } = execArguments(
      'box',
      { ...request, env: { ANTHROPIC_API_KEY: 'a secret', A: '1\n2' } },
      given,
    )
    expect(words.join(' ')).not.toContain('a secret')
    expect(words.slice(0, 9)).toEqual([
      'exec',
      '-w',
      '/p',
      '-e',
      'RALPH_RUN_ID=r1',
      '-e',
      'ANTHROPIC_API_KEY',
      '-e',
      'A',
    ])
    expect(env).toMatchObject({ ANTHROPIC_API_KEY: 'a secret', A: '1\n2', HOME: '/home/me' })
  })

  it('gives stdin only where there is one', () => {
    expect(execArguments('box', request, given).words).not.toContain('-i')
    expect(execArguments('box', { ...request, stdin: '' }, given).words).toContain('-i')
  })

  it('lets the client keep its own variables', () => {
    const { words, env } = execArguments('box', { ...request, env: { HOME: '/elsewhere', PATH: '/bin' } }, given)
    expect(words).not.toContain('HOME')
    expect(words).toContain('PATH')
    expect(env).toEqual({ HOME: '/home/me', PATH: '/bin' })
  })

  it('leaves out what would be read as a value or as two words', () => {
    const { words } = execArguments(
      'box',
      { ...request, env: { 'A=B': 'c', 'D E': 'f', 'BASH_FUNC_x%%': '() { :; }' } },
      given,
    )
    expect(words.filter((_, index) => words[index - 1] === '-e')).toEqual(['RALPH_RUN_ID=r1', 'BASH_FUNC_x%%'])
  })

  it('ends with the box and the command, as it is', () => {
    const { words } = execArguments('box', { ...request, argv: ['sh', '-c', '--', '$x'] }, given)
    expect(words.slice(words.indexOf('box'))).toEqual([
      'box',
      'bash',
      '--norc',
      '-p',
      '-c',
      expect.any(String),
      'ralph',
      '/tmp/f',
      'sh',
      '-c',
      '--',
      '$x',
    ])
  })
})
