import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AgentReport, AgentRequest } from '../../../src/agents/agent.ts'
import { claude } from '../../../src/agents/claude.ts'
import { exited, play, someRequest } from '../../support/play-stream.ts'
import { ClaudeLab, claudeProgram } from './lab.ts'
import { says } from './messages-api.ts'

describe.skipIf(claudeProgram === null)('the command for the real Claude Code', () => {
  let lab: ClaudeLab
  beforeEach(async () => {
    lab = await ClaudeLab.open()
    lab.api.model = ({ turn }) => (turn === 0 ? says({ tool: 'Bash', input: { command: 'echo hi' } }) : says('Done.'))
  })
  afterEach(() => lab.close())

  /** Runs it as the loop would, and reads it with our own eyes. */
  async function run(request: Partial<AgentRequest>): Promise<AgentReport & { readonly mustEnd: string | null }> {
    const whole: AgentRequest = { ...someRequest, ...request }
    const { args, env, stdin } = claude.command(whole)
    const options = { cwd: lab.project, env: { ...lab.env, ...env }, extendEnv: false, reject: false, input: stdin }
    const { stdout, stderr, exitCode } = await execa(claudeProgram ?? '', args, options)
    const reader = claude.read(whole)
    const { report } = play(reader, [Buffer.from(stdout)], exited(exitCode ?? 1, stderr))
    return { ...report, mustEnd: reader.mustEnd() }
  }

  function file(name: string, text: string): string {
    const path = join(lab.root, name)
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, text)
    return path
  }

  /** A plugin by our name, whose hooks are these. */
  function plugin(hooks: object): string {
    file('plugin/.claude-plugin/plugin.json', JSON.stringify({ name: 'ralph', version: '1.0.0' }))
    file('plugin/hooks/hooks.json', JSON.stringify(hooks))
    return join(lab.root, 'plugin')
  }

  const settingsFor = (pluginDir: string | null, userSettings: Record<string, string> = {}): string =>
    file(
      'settings.json',
      claude.settings({ pluginDir, projectDir: lab.project, userSettings: JSON.stringify(userSettings) })?.text ?? '',
    )

  it('has only options that it knows, and every one of them is heeded', async () => {
    const hook = { type: 'command', command: 'echo hooked: $RALPH_MARK', timeout: 10 }
    const pluginDir = plugin({ hooks: { SessionStart: [{ hooks: [hook] }] } })
    lab.env['RALPH_MARK'] = 'by our plugin'
    const report = await run({
      prompt: 'Do it.',
      model: 'haiku',
      maxCostUsd: 3,
      pluginDir,
      settingsFile: settingsFor(pluginDir, { model: 'sonnet' }),
      instructionsFile: file('instructions.md', 'Indent with tabs.'),
      extraArgs: ['--effort', 'low'],
    })
    expect(report).toMatchObject({ outcome: 'succeeded', message: null, mustEnd: null })
    const [asked] = lab.api.asked
    expect(asked?.headers['x-claude-code-session-id']).toBe(someRequest.sessionId)
    expect(asked?.model).toContain('haiku')
    expect(asked?.prompt).toBe('Do it.')
    expect(asked?.besides).toContain('Indent with tabs.')
    expect(asked?.besides).toContain('hooked: by our plugin')
    expect(asked?.raw).toContain('"effort":"low"')
  })

  it('leaves the tools that an author needs, and none that wait for a person or lead out of the iteration', async () => {
    await run({})
    const tools = lab.api.asked[0]?.tools ?? []
    expect(tools).toEqual(expect.arrayContaining(['Agent', 'Bash', 'Edit', 'Read', 'WebFetch', 'WebSearch', 'Write']))
    const { args } = claude.command(someRequest)
    const withheld = args[args.indexOf('--disallowedTools') + 1]?.split(',') ?? []
    expect(withheld.length).toBeGreaterThan(5)
    expect(tools.filter((tool) => withheld.includes(tool))).toEqual([])
  })

  it("takes the user's model where no other is asked for", async () => {
    await run({ settingsFile: settingsFor(null, { model: 'sonnet' }) })
    expect(lab.api.asked[0]?.model).toContain('sonnet')
  })

  it('is seen not to have loaded a plugin whose hooks are broken', async () => {
    const pluginDir = plugin({ SessionStart: [] })
    const report = await run({ pluginDir, settingsFile: settingsFor(pluginDir) })
    expect(report.mustEnd).toContain("Ralph's plugin was not loaded")
    expect(report.outcome).toBe('unavailable')
  })

  it('cannot be had with an option that it does not know, in its own words', async () => {
    const report = await run({ extraArgs: ['--no-such-option'] })
    expect(report).toMatchObject({ outcome: 'unavailable', message: expect.stringContaining("unknown option '--no") })
    expect(lab.api.asked).toEqual([])
  })
})
