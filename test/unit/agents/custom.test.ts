import { describe, expect, it } from 'vitest'
import { customAgent } from '../../../src/agents/custom.ts'
import { someRequest } from '../../support/play-stream.ts'

describe('customAgent', () => {
  const agent = customAgent(['./my agent', '--fast'], 'text')

  it('starts the program of the user with its arguments, then those of the run', () => {
    expect(agent.program).toBe('./my agent')
    expect(agent.command({ ...someRequest, extraArgs: ['x'] })).toEqual({
      args: ['--fast', 'x'],
      env: {},
      stdin: 'Do it.',
    })
  })

  it('tells it the model by a variable', () => {
    expect(agent.command({ ...someRequest, model: 'opus' }).env).toEqual({ RALPH_MODEL: 'opus' })
  })

  it('asks for no plugin, no settings and no budget', () => {
    const request = { ...someRequest, pluginDir: '/opt/ralph', settingsFile: '/s', maxCostUsd: 1 }
    expect(agent.command(request).args).toEqual(['--fast'])
    expect(agent.settings({ pluginDir: '/opt/ralph', projectDir: '/p', userSettings: null })).toBeNull()
    const reader = customAgent(['./agent'], 'claude').read(request)
    reader.line(Buffer.from('{"type":"system","subtype":"init","plugins":[]}'))
    expect(reader.mustEnd()).toBeNull()
  })

  it.each([
    ['text', false, false],
    ['claude', true, true],
    ['codex', false, true],
  ] as const)('in the format %s it tells its cost: %s, its tokens: %s', (format, cost, tokens) => {
    const { reportsCost, reportsTokens } = customAgent(['a'], format)
    expect([reportsCost, reportsTokens]).toEqual([cost, tokens])
  })
})
