import { describe, expect, it } from 'vitest'
import type { AgentRequest } from '../../../src/agents/agent.ts'
import { claude } from '../../../src/agents/claude.ts'
import { someRequest } from '../../support/play-stream.ts'

/** As one would type it: no argument has a space in it, and an empty one is shown as ''. */
const commandLine = (request: Partial<AgentRequest>): string =>
  claude
    .command({ ...someRequest, ...request })
    .args.map((argument) => (argument === '' ? "''" : argument))
    .join(' ')

const start =
  "-p --output-format stream-json --verbose --dangerously-skip-permissions --setting-sources '' --strict-mcp-config"
const tools =
  '--disallowedTools AskUserQuestion,EnterPlanMode,ExitPlanMode,ProposeGoal,OfferChromeSetup,ShowOnboardingRolePicker,' +
  'EnterWorktree,CronCreate,ScheduleWakeup,RemoteTrigger,ListAgents,SendMessage'
const session = `--session-id ${someRequest.sessionId}`

describe('the command of claude', () => {
  it.each<[string, Partial<AgentRequest>, string]>([
    ['takes nothing from the project or the user, and waits for nobody', {}, `${start} ${tools} ${session}`],
    ['has the model', { model: 'opus' }, `${start} ${tools} --model opus ${session}`],
    ['has the settings', { settingsFile: '/s.json' }, `${start} --settings /s.json ${tools} ${session}`],
    [
      'has the instructions of the project',
      { instructionsFile: '/i.md' },
      `${start} --append-system-prompt-file /i.md ${tools} ${session}`,
    ],
    ['has our plugin', { pluginDir: '/opt/ralph' }, `${start} --plugin-dir /opt/ralph ${tools} ${session}`],
    ['has what is left of the budget', { maxCostUsd: 2.5 }, `${start} ${tools} --max-budget-usd 2.5 ${session}`],
    ['has no sandbox of its own to switch off in a box', { boxed: true }, `${start} ${tools} ${session}`],
    [
      'ends with what the user added',
      { extraArgs: ['--effort', 'high'] },
      `${start} ${tools} ${session} --effort high`,
    ],
    [
      'has everything in this order',
      {
        model: 'opus',
        extraArgs: ['x'],
        maxCostUsd: 1,
        pluginDir: '/opt/ralph',
        settingsFile: '/s.json',
        instructionsFile: '/i.md',
      },
      `${start} --settings /s.json --append-system-prompt-file /i.md --plugin-dir /opt/ralph ${tools} --model opus ` +
        `--max-budget-usd 1 ${session} x`,
    ],
  ])('%s', (_, request, expected) => {
    expect(commandLine(request)).toBe(expected)
  })

  it.each([
    [10, '10'],
    [0.1 + 0.2, '0.3'],
    [0.000_01, '0.0001'],
    [0, '0.0001'],
    [-3, '0.0001'],
  ])('says a budget of %d as %s', (maxCostUsd, said) => {
    expect(commandLine({ maxCostUsd })).toContain(`--max-budget-usd ${said} `)
  })

  it('switches off what an earlier agent could have written and what changes the program on the way', () => {
    expect(claude.command(someRequest).env).toEqual({
      CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
      CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: '1',
      CLAUDE_CODE_DISABLE_ATTACHMENTS: '1',
      ENABLE_TOOL_SEARCH: 'false',
      DISABLE_AUTOUPDATER: '1',
    })
  })

  it('has its settings in a file', () => {
    const settings = claude.settings({ pluginDir: '/opt/ralph', projectDir: '/project', userSettings: null })
    expect(settings?.fileName).toBe('claude-settings.json')
    expect(JSON.parse(settings?.text ?? '')).toHaveProperty('enabledPlugins')
  })
})
