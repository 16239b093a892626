import { describe, expect, it } from 'vitest'
import type { CommandSpec } from '../../../src/cli/command.ts'
import { isVerbose, understand } from '../../../src/cli/understand.ts'

const commands: CommandSpec[] = [
  { name: 'run', summary: '', example: '' },
  { name: 'status', summary: '', example: '' },
]
const [run, status] = commands
const intentOf = (...words: string[]) => {
  const result = understand(words, commands)
  return result.ok ? result.value : result.error
}

describe('what a command line asks for', () => {
  it('is a run when nothing is named', () => {
    expect(intentOf()).toEqual({ kind: 'command', command: run, words: [], implied: true })
  })

  it('is a run when it starts with an option', () => {
    const words = ['--output', 'json']
    expect(intentOf(...words)).toEqual({ kind: 'command', command: run, words, implied: true })
  })

  it('is the command that is named, with the words after it', () => {
    expect(intentOf('status', '--json')).toEqual({
      kind: 'command',
      command: status,
      words: ['--json'],
      implied: false,
    })
  })

  it.each([['--help'], ['-h'], ['help'], ['--verbose', '--help'], ['help', '--help']])(
    'is the whole help for %s %s',
    (...words) => {
      expect(intentOf(...words)).toEqual({ kind: 'help', command: null })
    },
  )

  it.each([
    ['status', '--help'],
    ['status', '--json', '-h'],
    ['help', 'status'],
  ])('is the help of one command for %s %s', (...words) => {
    expect(intentOf(...words)).toEqual({ kind: 'help', command: status })
  })

  it('is the version', () => {
    expect(intentOf('--version')).toEqual({ kind: 'version' })
  })

  it('leaves what stands after -- to the other program', () => {
    expect(intentOf('run', '--', 'npm', '--help')).toMatchObject({ kind: 'command', words: ['--', 'npm', '--help'] })
    expect(intentOf('--', '--version')).toMatchObject({ kind: 'command', implied: true })
  })

  it.each([['staus'], ['help', 'staus'], ['STATUS']])(
    'is never guessed: %s %s is refused with the nearest name',
    (...words) => {
      expect(intentOf(...words)).toMatchObject({ reason: 'usage', fix: expect.stringContaining('"ralph status"') })
    },
  )

  it('does not take an empty word for a bare call', () => {
    expect(intentOf('')).toMatchObject({ reason: 'usage' })
  })

  it('does not take the name of an object method for a command', () => {
    expect(intentOf('constructor')).toMatchObject({ reason: 'usage' })
  })

  it('shows control characters of an unknown word instead of printing them', () => {
    expect(intentOf('\u001b[31mrun')).toMatchObject({ message: 'There is no command "\\u{1b}[31mrun".' })
  })
})

describe('verbose', () => {
  it('is seen anywhere before --', () => {
    expect(isVerbose(['status', '--verbose'])).toBe(true)
    expect(isVerbose(['-V'])).toBe(true)
    expect(isVerbose(['supervise', '--', 'npm', '--verbose'])).toBe(false)
  })
})
