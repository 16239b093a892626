import { existsSync, readFileSync } from 'node:fs'
import type { Agent, AgentExit, AgentRequest } from '../agents/agent.ts'
import type { Clock } from '../base/clock.ts'
import { err, ok, type Result } from '../base/result.ts'
import type { Isolation } from '../isolation/isolation.ts'
import { iterationFiles, type IterationFiles } from '../journal/iteration-files.ts'
import type { RunPaths } from '../journal/project-state.ts'
import type { AgentEnd, AgentPort, AgentStart } from '../loop/ports.ts'
import type { Failure } from '../model/failure.ts'
import type { IterationMode } from '../model/story.ts'
import type { AgentChoice } from '../settings/run-options.ts'
import { attempt } from '../store/attempt.ts'
import { writeNewFile } from '../store/write-new-file.ts'
import type { AgentConfiguration } from './agent-configuration.ts'

/** An agent that was found on this machine, and everything that each of its starts has in common. */
export interface AgentWiring {
  readonly agent: Agent
  readonly choice: AgentChoice
  /** The program by its absolute path, and arguments that belong to it. */
  readonly program: readonly [string, ...string[]]
  readonly isolation: Isolation
  readonly project: string
  readonly runId: string
  /** Where raw output, errors and prompts go. */
  readonly paths: RunPaths
  readonly silenceMs: number
  readonly clock: Clock
  readonly pluginDir: string | null
  readonly configuration: AgentConfiguration
  /** Where git keeps the history of the project. */
  readonly writableDirs: readonly string[]
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
  const { agent, isolation, project, runId, clock } = wiring
  const request = requestFor(wiring, start)
  const command = agent.command(request)
  const reader = agent.read(request)
  const files = filesFor(wiring.paths, start.iteration)
  const saved = attempt('write', files.prompt, () =>
    writeNewFile(files.prompt, Buffer.from(start.prompt), 0o600, 'unsynced'),
  )
  if (!saved.ok) return saved
  const home = wiring.configuration.openHome(request.instructionsFile)
  if (!home.ok) return home
  const own = new AbortController()
  const { timeoutMs } = start
  const ended = await isolation.exec({
    argv: [...wiring.program, ...command.args],
    cwd: project,
    env: { ...wiring.environment(start), ...command.env, ...home.value },
    runId,
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
  if (!ended.ok) return ended.error.reason === 'cannot-start' ? ok(unavailable(ended.error, agent)) : err(ended.error)
  if (!closed.ok) return closed
  const { cause, exitCode, signal, stderrTail, durationMs } = ended.value
  const exit: AgentExit = { cause, exitCode, signal, stderrTail, endedAt: clock.now() }
  const report = reader.end(exit)
  const mustEnd = reader.mustEnd()
  return ok({
    ...report,
    ...(mustEnd === null || start.signal.aborted ? {} : { outcome: 'unavailable', message: mustEnd }),
    exitCode,
    signal,
    durationMs,
  })
}

/** For an agent that takes no file of them: what the project tells its agents stands before what this one has to do. */
function withInstructions(wiring: AgentWiring, { prompt, mode }: AgentStart): string {
  const file = wiring.agent.instructions === 'prompt' ? wiring.instructionsFile(mode) : null
  const text = file === null || !existsSync(file) ? '' : readFileSync(file, 'utf8').trim()
  return text === '' ? prompt : `${text}\n\n---\n\n${prompt}`
}

function requestFor(wiring: AgentWiring, { prompt, mode, sessionId, maxCostUsd }: AgentStart): AgentRequest {
  const { choice, isolation, pluginDir, configuration, writableDirs } = wiring
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
    settingsFile: configuration.settingsFile,
    instructionsFile: wiring.instructionsFile(mode),
  }
}

/** A second start under the same number has files of its own. */
function filesFor(paths: RunPaths, iteration: number): IterationFiles {
  let start = 1
  while (existsSync(iterationFiles(paths, iteration, start).prompt)) start++
  return iterationFiles(paths, iteration, start)
}

/** It was there when the run began. */
function unavailable({ program, code }: Extract<Failure, { reason: 'cannot-start' }>, { install }: Agent): AgentEnd {
  return {
    outcome: 'unavailable',
    message: `${program} cannot be started (${code})`,
    fix: install,
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
