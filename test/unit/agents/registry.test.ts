import { describe, expect, it } from 'vitest'
import { agentNames, findAgent } from '../../../src/agents/registry.ts'
import { someRequest } from '../../support/play-stream.ts'

const choice = { command: null, format: 'text' } as const

describe('findAgent', () => {
  it.each(agentNames.filter((name) => name !== 'custom'))('knows %s', (name) => {
    expect(findAgent({ ...choice, name })).toMatchObject({ ok: true, value: { name } })
  })

  it('makes a custom agent from its command', () => {
    const found = findAgent({ name: 'custom', command: ['./agent', '-x'], format: 'codex' })
    expect(found).toMatchObject({ ok: true, value: { name: 'custom', program: './agent', reportsTokens: true } })
  })

  it.each([null, []])('makes no custom agent from %j', (command) => {
    expect(findAgent({ ...choice, name: 'custom', command })).toEqual({
      ok: false,
      error: { reason: 'no-agent-command' },
    })
  })

  it('starts a known agent by the path and with the first arguments that the user gave', () => {
    const found = findAgent({ name: 'claude', command: ['/opt/claude', '--debug'], format: 'text' })
    expect(found).toMatchObject({ ok: true, value: { name: 'claude', program: '/opt/claude' } })
    if (found.ok) expect(found.value.command(someRequest).args.slice(0, 2)).toEqual(['--debug', '-p'])
  })

  it.each(['cluade', '', 'constructor', '__proto__'])('does not know %j, and says whom it knows', (name) => {
    expect(findAgent({ ...choice, name })).toEqual({
      ok: false,
      error: { reason: 'unknown-agent', name, known: agentNames },
    })
  })

  it('names all agents of the contract', () => {
    expect(agentNames.join(' ')).toBe('claude codex amp gemini opencode qwen copilot cursor pi droid script custom')
  })
})
