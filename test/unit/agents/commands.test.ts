import { describe, expect, it } from 'vitest'
import type { AgentRequest } from '../../../src/agents/agent.ts'
import { builtAgents } from '../../../src/agents/registry.ts'
import { childEnvironment } from '../../../src/process/child-environment.ts'
import { someRequest } from '../../support/play-stream.ts'

function commandOf(name: string, more: Partial<AgentRequest> = {}): { line: string; env: Record<string, string> } {
  const agent = builtAgents.find((candidate) => candidate.name === name)
  if (agent === undefined) throw new Error(`no agent ${name}`)
  const { args, env } = agent.command({ ...someRequest, ...more })
  return { line: args.join(' '), env: { ...env } }
}

/** As each was run for real, but for amp and cursor; see docs/agents.md. */
const lines: readonly (readonly [name: string, line: string])[] = [
  ['amp', '--dangerously-allow-all --stream-json --execute'],
  ['gemini', '--output-format stream-json --yolo --skip-trust'],
  ['opencode', 'run --format json --auto --pure'],
  ['qwen', '--output-format stream-json --yolo --safe-mode'],
  [
    'copilot',
    '--output-format json --allow-all --no-ask-user --no-custom-instructions --disable-builtin-mcps --no-remote --no-auto-update',
  ],
  ['cursor', '--print --output-format stream-json --force --trust'],
  ['pi', '--print --mode json --no-session --no-context-files --no-extensions --no-skills --no-prompt-templates'],
  ['droid', 'exec --output-format stream-json --skip-permissions-unsafe'],
]

describe('the command of', () => {
  it.each(lines)('%s is `%s`', (name, line) => {
    expect(commandOf(name).line).toBe(line)
    // A box around it changes nothing: none of them has a sandbox of its own that would be in the way.
    expect(commandOf(name, { boxed: true }).line).toBe(line)
  })

  it.each(lines)('%s takes a model', (name) => {
    expect(commandOf(name, { model: 'some/model' }).line).toMatch(/ --mode(?:l)? some\/model\b/)
  })

  it('opencode has what the project says by a setting, and nothing else of the project', () => {
    const { env } = commandOf('opencode', { instructionsFile: '/state/instructions.md' })
    expect(env).toMatchObject({ OPENCODE_DISABLE_PROJECT_CONFIG: '1', OPENCODE_DISABLE_CLAUDE_CODE: '1' })
    expect(JSON.parse(env['OPENCODE_CONFIG_CONTENT'] ?? '')).toEqual({ instructions: ['/state/instructions.md'] })
    expect(commandOf('opencode').env).not.toHaveProperty('OPENCODE_CONFIG_CONTENT')
  })

  it('pi has what the project says by an option', () => {
    const { line } = commandOf('pi', { instructionsFile: '/state/instructions.md' })
    expect(line).toContain('--append-system-prompt /state/instructions.md')
  })
})

describe('what is known of', () => {
  it.each(builtAgents.map((agent) => [agent.name, agent] as const))(
    '%s says how to get it and to log in',
    (_, agent) => {
      expect(agent.install).not.toBe('')
      const isOwn = agent.name === 'script'
      expect(agent.login === null).toBe(isOwn)
      expect(agent.userConfig === null).toBe(isOwn)
    },
  )

  it('what somebody logs in with is that agents get it', () => {
    const names = builtAgents.flatMap(({ login }) => login?.variables ?? [])
    const env = Object.fromEntries(names.map((name) => [name, 'set']))
    const ralph = {
      runId: 'r',
      iteration: 1,
      maxIterations: 1,
      mode: null,
      story: null,
      dir: 'ralph',
      isolation: 'none',
      guardAllow: [],
    }
    expect(childEnvironment({ kind: 'agent', env, path: '', pass: [], drop: [], ralph })).toMatchObject(env)
  })

  it('the agents that were never run is that they are experimental', () => {
    const names = builtAgents.filter(({ experimental }) => experimental).map(({ name }) => name)
    expect(names).toEqual(['amp', 'cursor', 'droid'])
  })

  it('the agents without hooks of ours and without a sandbox is that nothing guards them', () => {
    const names = builtAgents.filter(({ directly }) => directly === null).map(({ name }) => name)
    expect(names).toEqual(['amp', 'gemini', 'opencode', 'qwen', 'copilot', 'cursor', 'pi', 'droid'])
  })
})
