import { describe, expect, it } from 'vitest'
import { commands } from '../../../src/cli/commands.ts'
import { helpForAll, helpForCommand } from '../../../src/cli/help.ts'

describe('the help of all commands', () => {
  it('names every one of them with its summary, on one line each', () => {
    const lines = helpForAll(commands).split('\n')
    for (const { name, summary } of commands) {
      expect(lines.filter((line) => line.startsWith(`  ${name} `) && line.endsWith(`  ${summary}`))).toHaveLength(1)
    }
  })

  it('fits a terminal of 100 columns', () => {
    for (const line of helpForAll(commands).split('\n')) expect(line.length).toBeLessThanOrEqual(100)
  })

  it('says apart what is not built yet', () => {
    const text = helpForAll([
      { name: 'run', summary: 'a', example: '', load: () => Promise.reject(new Error('never called')) },
      { name: 'plan', summary: 'b', example: '' },
    ])
    const [, built = '', planned = ''] = text.split(/^Commands:$|^Not built yet:$/m)
    expect(built).toContain('run')
    expect(planned).toContain('plan')
  })
})

describe.each(commands.map((command) => [command.name, command] as const))('ralph %s --help', (name, command) => {
  it('has an example that starts with the command itself', () => {
    expect(helpForCommand(command)).toContain(`\nExample: ralph ${name}`)
  })

  it('names the usage and every option', () => {
    const text = helpForCommand(command)
    expect(text).toContain(`Usage: ralph ${name}`)
    for (const option of command.options ?? []) expect(text).toContain(option.flags)
  })
})

it('the help of story says what each action means', () => {
  const story = commands.find(({ name }) => name === 'story')
  const text = story === undefined ? '' : helpForCommand(story)
  for (const action of ['approve', 'reopen', 'unblock']) expect(text).toMatch(new RegExp(`^  ${action} +\\S`, 'm'))
})

describe('the command table', () => {
  it('has every command of the contract once', () => {
    const expected =
      'run plan build supervise init check story status log report cancel archive clean doctor demo guard'.split(' ')
    expect(commands.map((command) => command.name)).toEqual(expected)
  })
})
