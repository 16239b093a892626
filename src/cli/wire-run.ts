import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ok, type Result } from '../base/result.ts'
import type { Clock } from '../base/clock.ts'
import { writeGuardrailLog } from '../checks/guardrail-log.ts'
import { recallCheck } from '../checks/recall-check.ts'
import { runCheck } from '../checks/run-check.ts'
import type { Referee } from '../git/referee.ts'
import type { Box, Isolation } from '../isolation/isolation.ts'
import type { Journal } from '../journal/open-journal.ts'
import type { ProjectPaths, RunPaths } from '../journal/project-state.ts'
import type { AgentPort, LoopOptions, LoopPorts } from '../loop/ports.ts'
import type { Failure } from '../model/failure.ts'
import type { IterationMode } from '../model/story.ts'
import { childEnvironment } from '../process/child-environment.ts'
import type { RunOptions } from '../settings/run-options.ts'
import { makePrivateDirectory } from '../store/private-directory.ts'
import { readSmall } from '../store/read-small.ts'
import { removeInside } from '../store/remove-inside.ts'
import { saveRejected } from '../store/save-rejected.ts'
import { writeInside } from '../store/write-inside.ts'
import type { StoriesPorts } from '../workflows/stories-ports.ts'
import { configureAgent } from './agent-configuration.ts'
import { projectInstructions, type Instructions } from './instructions.ts'
import type { FoundAgents } from './run-agents.ts'
import { redactEvent } from './redact-event.ts'
import { agentPort } from './start-agent.ts'
import type { StopRequests } from './stop-requests.ts'
import { tellingReferee } from './tell-box.ts'

/** Everything that a run stands on, found and opened. */
export interface RunParts {
  readonly clock: Clock
  readonly project: string
  readonly runId: string
  readonly paths: RunPaths
  /** Of the project, whatever the run. */
  readonly state: ProjectPaths
  readonly options: RunOptions
  readonly env: Readonly<Record<string, string | undefined>>
  /** PATH without the project's directories. */
  readonly path: string
  readonly shell: string
  readonly isolation: Isolation
  readonly box: Box
  readonly agents: FoundAgents
  readonly referee: Referee
  readonly journal: Journal
  readonly dirtyPaths: readonly string[]
  readonly defaultTemplate: string
  /** This installation, where it has hooks. */
  readonly pluginDir: string | null
  /** The file of this installation that is not as it was when the run began. */
  readonly changedInstallation: () => string | null
  readonly stop: StopRequests
  /** Takes the user's keys out of a text. */
  readonly redact: (text: string) => string
  ensureHeld(): Result<void, Failure>
  remark(text: string): void
}

export const loopOptions = (options: RunOptions): LoopOptions => ({
  limits: options,
  maxWaitMs: options.maxWaitMs,
  iterationTimeoutMs: options.iterationTimeoutMs,
  completionTag: options.completionTag,
  strict: options.strict,
})

/** The ports of the stories workflow. */
export function wireStories(parts: RunParts, instructions: Instructions): StoriesPorts {
  const { clock, project, runId, paths, options, box } = parts
  const referee = tellingReferee(parts.referee, box)
  const told = <T>(done: T): T => {
    void box.refresh()
    return done
  }
  const recall = { project, maxOutputChars: options.outputTruncateChars }
  return {
    clock,
    referee,
    runId,
    pid: process.pid,
    boxed: parts.isolation.boxed,
    options,
    defaultTemplate: parts.defaultTemplate,
    dirtyPaths: parts.dirtyPaths,
    files: {
      read: (path) => readSmall(project, path),
      write: (path, text) => told(writeInside(project, path, Buffer.from(text))),
      async show(path, text) {
        const bytes = Buffer.from(text)
        const written = writeInside(project, path, bytes, { durability: 'unsynced' })
        return written.ok ? box.writeFile(join(project, path), bytes) : written
      },
      remove: (path) => told(removeInside(project, path)),
    },
    check: ({ command, iteration, mode, story }) =>
      runCheck(
        {
          command,
          iteration,
          shell: parts.shell,
          project,
          env: environmentFor(parts, 'check', { iteration, mode, story }),
          runId,
          logDirectory: join(paths.directory, 'checks'),
          timeoutMs: options.checks.find((check) => check.command === command)?.timeoutMs ?? options.checkTimeoutMs,
          maxOutputChars: options.outputTruncateChars,
          signal: parts.stop.signal,
        },
        (request) => box.exec(request),
      ),
    recall: (check) => recallCheck(check, recall),
    publishLog: ({ log }, iteration) => {
      const written = told(writeGuardrailLog({ project, iteration, log }))
      // The output is in the prompt as well: a file that cannot be had is no reason to stop.
      return written.ok ? written.value : null
    },
    saveTakenOut: (iteration, items) => saveRejected(join(paths.rejected, String(iteration)), items),
    showsWork: (mode) => parts.agents[mode].agent.showsWork,
    freshBox: () => (options.freshBox === 'never' ? Promise.resolve(ok(undefined)) : box.renew()),
    placeInstructions: (mode) => instructions.place(mode),
    newNonce: () => randomBytes(16).toString('hex'),
    sha256: (text) => createHash('sha256').update(text).digest('hex'),
    remark: (text) => parts.remark(text),
    stop: parts.stop.signal,
  }
}

/** The ports of the engine; an agent that both writes and reviews is wired once for each. */
export function wireLoop(
  parts: RunParts,
  instructions: Instructions,
  show: LoopPorts['show'],
): Result<LoopPorts, Failure> {
  const ports = new Map<IterationMode, AgentPort>()
  for (const mode of ['implement', 'review', 'review-fix'] as const) {
    const port = wireAgent(parts, instructions, mode)
    if (!port.ok) return port
    ports.set(mode, port.value)
  }
  const { journal, clock, stop } = parts
  return ok({
    clock,
    journal: {
      get state() {
        return journal.state
      },
      append: (event) => journal.append(redactEvent(event, parts.redact)),
    },
    show,
    agentFor: (mode) => ports.get(mode ?? 'implement') as AgentPort,
    newSessionId: () => randomUUID(),
    sleepUntil: async (timeMs, signal) => {
      // In pieces, so that a request to stop after the iteration and a clock that was set are noticed.
      while (clock.now() < timeMs && !stop.requested()) {
        await delay(Math.min(1000, timeMs - clock.now()), undefined, { signal }).catch(() => undefined)
      }
    },
    ensureHeld: () => parts.ensureHeld(),
    stop,
  })
}

function wireAgent(parts: RunParts, instructions: Instructions, mode: IterationMode): Result<AgentPort, Failure> {
  const { agents, clock, project, runId, paths, state, options, isolation, box, pluginDir } = parts
  const { agent, choice, program } = agents[mode]
  const made = makePrivateDirectory(paths.iterations)
  if (!made.ok) return made
  const directories = { given: join(state.given, agent.name), home: join(state.homes, agent.name) }
  const hidesHome = isolation.boxed && isolation.programs === 'host'
  const elsewhere = isolation.programs === 'box'
  const { env } = parts
  const configuration = configureAgent(agent, { directories, pluginDir, project, env, hidesHome, elsewhere })
  if (!configuration.ok) return configuration
  const { gitDir, commonDir } = parts.referee.baseline.layout
  return ok(
    agentPort({
      agent,
      choice,
      program,
      isolation,
      box,
      project,
      runId,
      paths,
      silenceMs: options.silenceTimeoutMs,
      freshBox: options.freshBox,
      clock,
      pluginDir,
      configuration: configuration.value,
      writableDirs: [...new Set([gitDir, commonDir])],
      changedInstallation: parts.changedInstallation,
      instructionsFile: (of) => instructions.file(of),
      redact: parts.redact,
      environment: (start) => environmentFor(parts, 'agent', start),
    }),
  )
}

function environmentFor(
  { env, path, runId, options, isolation }: RunParts,
  kind: 'agent' | 'check',
  { iteration, mode, story }: { iteration: number; mode: IterationMode | null; story: string | null },
): Record<string, string> {
  const { maxIterations, ralphDir: dir } = options
  const ralph = {
    runId,
    iteration,
    maxIterations,
    mode,
    story,
    dir,
    isolation: isolation.name,
    guardAllow: options.guardAllow,
  }
  const own = isolation.programs === 'host' ? path : null
  return childEnvironment({ kind, env, path: own, pass: options.env.pass, drop: options.env.drop, ralph })
}

export const instructionsFor = ({ referee, project, state, redact }: RunParts): Instructions =>
  projectInstructions({ referee, project, directory: state.given, redact })
