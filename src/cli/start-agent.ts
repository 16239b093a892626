import { existsSync, readFileSync } from 'node:fs'
import type { Agent, AgentExit, AgentRequest } from '../agents/agent.ts'
import type { Clock } from '../base/clock.ts'
import { err, ok, type Result } from '../base/result.ts'
import { visibleLine } from '../base/visible.ts'
import type { Box, Isolation } from '../isolation/isolation.ts'
import { iterationFiles, type IterationFiles } from '../journal/iteration-files.ts'
import type { RunPaths } from '../journal/project-state.ts'
import type { AgentEnd, AgentPort, AgentStart } from '../loop/ports.ts'
import type { Failure } from '../model/failure.ts'
import type { IterationMode } from '../model/story.ts'
import type { AgentChoice, RunOptions } from '../settings/run-options.ts'
import { attempt } from '../store/attempt.ts'
import { writeNewFile } from '../store/write-new-file.ts'
import type { AgentConfiguration } from './agent-configuration.ts'
import { showFiles } from './tell-box.ts'

/** An agent that was found on this machine, and everything that each of its starts has in common. */
export interface AgentWiring {
  readonly agent: Agent
  readonly choice: AgentChoice
  /** The program by its absolute path, and arguments that belong to it. */
  readonly program: readonly [string, ...string[]]
  readonly isolation: Isolation
  readonly box: Box
  readonly project: string
  readonly runId: string
  /** Where raw output, errors and prompts go. */
  readonly paths: RunPaths
  readonly silenceMs: number
  readonly freshBox: RunOptions['freshBox']
  readonly clock: Clock
  readonly pluginDir: string | null
  readonly configuration: AgentConfiguration
  /** Where git keeps the history of the project. */
  readonly writableDirs: readonly string[]
  /** The file of Ralph's own that is not as it was when the run began. */
  changedInstallation(): string | null
  instructionsFile(mode: IterationMode | null): string | null
  /** Takes the user's keys out of a text: an agent can have written one into a file that the next prompt shows. */
  readonly redact: (text: string) => string
  environment(start: Pick<AgentStart, 'iteration' | 'mode' | 'story'>): Readonly<Record<string, string>>
}

/** Starts the agent through the isolation and reads its stream; what it came to is the agent's own file to say. */
export function agentPort(wiring: AgentWiring): AgentPort {
  const { agent, choice } = wiring
  return { name: agent.name, model: choice.model, start: (start) => startAgent(wiring, start) }
}

async function startAgent(wiring: AgentWiring, given: AgentStart): Promise<Result<AgentEnd, Failure>> {
  const start = { ...given, prompt: wiring.redact(withInstructions(wiring, given)) }
  const { agent, isolation, box, project, runId, clock } = wiring
  const before = wiring.changedInstallation()
  if (before !== null) return ok(notStarted(agentMayHaveChanged(before)))
  const isFresh = wiring.freshBox === 'always' || (wiring.freshBox === 'review' && start.mode === 'review')
  const renewed = isFresh ? await box.renew() : ok(undefined)
  if (!renewed.ok) return renewed
  const settingsFile = wiring.configuration.placeSettings()
  if (!settingsFile.ok) return settingsFile
  const request = requestFor(wiring, start, settingsFile.value)
  const command = agent.command(request)
  const reader = agent.read(request)
  const files = filesFor(wiring.paths, start.iteration)
  const saved = attempt('write', files.prompt, () =>
    writeNewFile(files.prompt, Buffer.from(start.prompt), 0o600, 'unsynced'),
  )
  if (!saved.ok) return saved
  const home = wiring.configuration.openHome(request.instructionsFile)
  if (!home.ok) return home
  const shown = await showFiles(box, [settingsFile.value, request.instructionsFile])
  if (!shown.ok) return shown
  const told = Object.keys(home.value).length === 0 ? ok(undefined) : await box.refresh()
  if (!told.ok) return told
  const own = new AbortController()
  const { timeoutMs } = start
  const ended = await box.exec({
    agent: agent.name,
    argv: [...wiring.program, ...command.args],
    cwd: project,
    // Agents that refuse root take it for a word of honour that something is around them.
    env: {
      ...wiring.environment(start),
      ...(isolation.boxed ? { IS_SANDBOX: '1' } : {}),
      ...command.env,
      ...home.value,
    },
    runId,
    makesSandbox: agent.directly === 'sandbox',
    stdin: command.stdin,
    silenceMs: wiring.silenceMs,
    signal: AbortSignal.any([start.signal, own.signal]),
    ...(Number.isFinite(timeoutMs) ? { timeoutMs: Math.max(1, timeoutMs) } : {}),
    stdoutFile: files.output,
    stderrFile: files.stderr,
    onLine: (line, control) => {
      for (const notice of reader.line(line.bytes)) start.onNotice(notice)
      control.expectSilence(reader.isToolOpen())
      if (reader.mustEnd() !== null) own.abort()
    },
  })
  const closed = wiring.configuration.closeHome()
  if (!ended.ok) {
    if (ended.error.reason !== 'cannot-start') return err(ended.error)
    // It was there when the run began.
    const { program, code } = ended.error
    return ok(notStarted({ message: `${program} cannot be started (${code})`, fix: agent.install }))
  }
  if (!closed.ok) return closed
  const { cause, exitCode, signal, stderrTail, durationMs } = ended.value
  const exit: AgentExit = { cause, exitCode, signal, stderrTail, endedAt: clock.now() }
  const report = reader.end(exit)
  const trouble = start.signal.aborted ? null : troubleAfter(wiring, reader.mustEnd())
  return ok({
    ...report,
    ...(trouble === null ? {} : { outcome: 'unavailable', ...trouble }),
    exitCode,
    signal,
    durationMs,
  })
}

interface Trouble {
  readonly message: string
  readonly fix?: string
}

/** What makes a run count for nothing that seemed to go well. */
function troubleAfter(wiring: AgentWiring, mustEnd: string | null): Trouble | null {
  if (mustEnd !== null) return { message: mustEnd }
  const changed = wiring.changedInstallation()
  return changed === null ? null : agentMayHaveChanged(changed)
}

/** Its hooks and commands are what the next agent and the user would run. */
const agentMayHaveChanged = (path: string): Trouble => ({
  message: `Ralph's own file ${visibleLine(path)} is not what it was when the run began`,
  fix: 'see what changed it, install Ralph anew and run it again',
})

/** For an agent that takes no file of them: what the project tells its agents stands before what this one has to do. */
function withInstructions(wiring: AgentWiring, { prompt, mode }: AgentStart): string {
  const file = wiring.agent.instructions === 'prompt' ? wiring.instructionsFile(mode) : null
  const text = file === null || !existsSync(file) ? '' : readFileSync(file, 'utf8').trim()
  return text === '' ? prompt : `${text}\n\n---\n\n${prompt}`
}

function requestFor(wiring: AgentWiring, start: AgentStart, settingsFile: string | null): AgentRequest {
  const { choice, isolation, pluginDir, writableDirs } = wiring
  const { prompt, mode, sessionId, maxCostUsd } = start
  return {
    prompt,
    mode,
    model: choice.model,
    sessionId,
    extraArgs: choice.args,
    boxed: isolation.boxed,
    writableDirs,
    maxCostUsd,
    pluginDir,
    settingsFile,
    instructionsFile: wiring.instructionsFile(mode),
  }
}

/** A second start under the same number has files of its own. */
function filesFor(paths: RunPaths, iteration: number): IterationFiles {
  let start = 1
  while (existsSync(iterationFiles(paths, iteration, start).prompt)) start++
  return iterationFiles(paths, iteration, start)
}

function notStarted({ message, fix = null }: { readonly message: string; readonly fix?: string | null }): AgentEnd {
  return {
    outcome: 'unavailable',
    message,
    fix,
    costUsd: null,
    tokens: null,
    resetsAt: null,
    promises: [],
    responses: [],
    exitCode: null,
    signal: null,
    durationMs: 0,
  }
}
