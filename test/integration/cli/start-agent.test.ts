import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findAgent } from '../../../src/agents/registry.ts'
import { configureAgent } from '../../../src/cli/agent-configuration.ts'
import { agentPort } from '../../../src/cli/start-agent.ts'
import { systemClock } from '../../../src/cli/system-clock.ts'
import { directBox, directIsolation } from '../../../src/isolation/none.ts'
import { iterationFiles } from '../../../src/journal/iteration-files.ts'
import { projectPaths, runPaths } from '../../../src/journal/project-state.ts'
import type { AgentEnd } from '../../../src/loop/ports.ts'
import type { Notice } from '../../../src/model/notice.ts'
import { makePrivateDirectory } from '../../../src/store/private-directory.ts'
import { killProcessesWith, newMark, newRunId, noNamespace, processesWith, testEnv } from '../../support/processes.ts'
import { value } from '../../support/repositories.ts'
import { scratch } from '../../support/scratch.ts'
import { until } from '../../support/until.ts'

const replay = fileURLToPath(new URL('../../fixtures/agents/replay.mjs', import.meta.url))
const fixture = (path: string): string => fileURLToPath(new URL(`../../fixtures/streams/${path}`, import.meta.url))

/** What SIGTERM was seen to do in the middle of a tool call; those that were not run are taken for the worst. */
const worst = { code: 0, afterMs: 300, endsTool: false }
const agents = [
  { name: 'codex', tool: 3, onTerm: { afterMs: 43, endsTool: false } },
  { name: 'gemini', tool: 6, onTerm: { code: 0, afterMs: 1100, endsTool: false } },
  { name: 'opencode', tool: 1, onTerm: { afterMs: 0, endsTool: false } },
  { name: 'qwen', tool: 3, onTerm: { afterMs: 12, endsTool: true } },
  { name: 'copilot', tool: 16, onTerm: { afterMs: 11, endsTool: true } },
  { name: 'pi', tool: 11, onTerm: { code: 143, afterMs: 0, endsTool: true } },
  { name: 'amp', tool: 3, onTerm: worst },
  { name: 'cursor', tool: 4, onTerm: worst },
  { name: 'droid', tool: 3, onTerm: worst },
]

/** They take no file with what the project tells its agents. */
const toldInPrompt = new Set(['gemini', 'qwen', 'copilot'])

let mark: string
let project: string
beforeEach(() => {
  mark = newMark()
  project = scratch()
})
afterEach(() => killProcessesWith(mark))

interface Played {
  readonly end: AgentEnd
  readonly notices: readonly Notice[]
  readonly heard: { readonly prompt: string; readonly args: readonly string[] }
  readonly log: string
}

/** One start of an agent through the real process layer. */
async function start(name: string, script: object, signal = new AbortController().signal): Promise<Played> {
  const agent = value(findAgent({ name, command: null, format: 'text' }))
  const state = scratch()
  const runId = newRunId()
  const paths = runPaths(projectPaths(state), runId)
  value(makePrivateDirectory(paths.iterations))
  const configuration = value(
    configureAgent(agent, {
      directories: { given: join(state, name), home: join(state, `${name}-home`) },
      pluginDir: null,
      project,
      env: { HOME: state },
      hidesHome: false,
    }),
  )
  const instructions = join(state, 'instructions.md')
  writeFileSync(instructions, '# Instructions\n\nuse tabs\n')
  const notices: Notice[] = []
  const port = agentPort({
    agent,
    choice: { name, model: 'a-model', command: null, args: ['--of-the-user'], format: 'text' },
    program: [process.execPath, replay, JSON.stringify(script), mark],
    isolation: directIsolation({ containment: noNamespace }),
    box: directBox({ containment: noNamespace }),
    project,
    runId,
    paths,
    silenceMs: 60_000,
    freshBox: 'review',
    clock: systemClock,
    pluginDir: null,
    configuration,
    writableDirs: [],
    changedInstallation: () => null,
    instructionsFile: () => instructions,
    redact: (text) => text,
    environment: () => testEnv,
  })
  const ended = await port.start({
    iteration: 1,
    mode: 'implement',
    story: null,
    sessionId: '8f14e45f-ceea-467f-a1d6-91f7b1a2c3d4',
    prompt: 'Do it.',
    maxCostUsd: null,
    timeoutMs: 60_000,
    signal,
    onNotice: (notice) => void notices.push(notice),
  })
  const heard = JSON.parse(readFileSync(join(project, `heard-${mark}.json`), 'utf8')) as Played['heard']
  return { end: value(ended), notices, heard, log: readFileSync(iterationFiles(paths, 1).output, 'utf8') }
}

describe.each(agents)('$name', ({ name, tool, onTerm }) => {
  const stream = fixture(`${name}/full.jsonl`)

  it('works as it was recorded', async () => {
    const { end, notices, heard, log } = await start(name, { stream })
    expect(end).toMatchObject({ outcome: 'succeeded', exitCode: 0, promises: ['COMPLETE'] })
    expect(log).toBe(readFileSync(stream, 'utf8'))
    // Each tool call has its two ends, and of the one that failed the reason can be seen.
    const begun = notices.filter(({ kind }) => kind === 'agent.tool.started')
    const over = notices.filter((notice) => notice.kind === 'agent.tool.ended')
    expect(begun.length).toBeGreaterThan(0)
    expect(over.length).toBe(begun.length)
    expect(over.filter(({ ok }) => !ok).map(({ output }) => output)).toEqual([
      expect.stringMatching(/no such file|not found/i),
    ])
    expect(heard.prompt).toBe(toldInPrompt.has(name) ? '# Instructions\n\nuse tabs\n\n---\n\nDo it.' : 'Do it.')
    expect(heard.args).toContain('a-model')
    expect(heard.args.at(-1)).toBe('--of-the-user')
  })

  it('leaves no process when it is ended in the middle of a tool call', async () => {
    const controller = new AbortController()
    const running = start(name, { stream, tool, onTerm }, controller.signal)
    await until('its tool runs', () => processesWith(`sleep-${mark}`).length === 1)
    controller.abort()
    const { end } = await running
    expect(end).toMatchObject({ outcome: 'interrupted', promises: [] })
    expect(processesWith(mark)).toEqual([])
  })
})

it('takes an exit code of 0 after an error for no success', async () => {
  const { end } = await start('pi', { stream: fixture('pi/err-auth.jsonl'), exitCode: 0 })
  expect(end).toMatchObject({ outcome: 'not-logged-in', exitCode: 0, fix: expect.stringContaining('/login') })
})

it('knows from stderr what a program says that printed nothing else', async () => {
  const script = { stream: '/nowhere', stderr: fixture('copilot/bad-flag.stderr'), exitCode: 1 }
  const { end } = await start('copilot', script)
  expect(end).toMatchObject({ outcome: 'unavailable', message: expect.stringContaining('unexpected argument') })
})
