import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Input, OptionValue, RunCommand } from '../../src/cli/command.ts'
import { openProject, type Project } from '../../src/cli/project.ts'
import { openJournal, type Journal } from '../../src/journal/open-journal.ts'
import { prepareProject, runPaths } from '../../src/journal/project-state.ts'
import { createRun } from '../../src/journal/runs.ts'
import type { Event } from '../../src/model/event.ts'
import type { TaskList } from '../../src/model/story.ts'
import { writeTasks } from '../../src/tasks/read-tasks.ts'
import type { Result } from '../../src/base/result.ts'
import { runStarted } from './events.ts'
import { scratch } from './scratch.ts'

/** A project with a real state directory, for commands that look at one. */
export interface WatchedProject extends Project {
  readonly env: Record<string, string>
  /** A new run with a journal, and what was recorded in it so far. */
  begin(...events: readonly Event[]): WatchedRun
  /** The journal of a run opened again by another process, at another time. */
  goOn(paths: WatchedRun['paths'], at: string): Journal
  writeTasks(tasks: TaskList | string): void
  /** Starts a command; what it printed is there while it goes on. */
  call(command: RunCommand, options?: Readonly<Record<string, OptionValue>>, closed?: () => boolean): Call
}

export interface WatchedRun {
  readonly runId: string
  readonly paths: ReturnType<typeof runPaths>
  readonly journal: Journal
  record(...events: readonly Event[]): void
}

export interface Call {
  readonly lines: string[]
  readonly remarks: string[]
  readonly end: ReturnType<RunCommand>
}

export function watchedProject(): WatchedProject {
  const place = scratch()
  const root = join(place, 'project')
  mkdirSync(join(root, 'ralph'), { recursive: true })
  const env = { HOME: join(place, 'home'), RALPH_STATE_DIR: join(place, 'state') }
  const project = valueOf(openProject({ cwd: root, env }))
  valueOf(prepareProject(project.state))
  // Starts at a full minute, one second an event.
  let time = Date.parse('2026-11-01T12:00:00Z')
  const clock = { now: () => (time += 1000) - 1000, elapsed: () => 0 }
  return {
    ...project,
    env,
    begin(...events) {
      const runId = valueOf(createRun(project.state, clock))
      const paths = runPaths(project.state, runId)
      const journal = valueOf(openJournal(paths.journal, { clock }))
      const record = (...more: readonly Event[]): void => {
        for (const event of more) valueOf(journal.append(event))
      }
      const started = { ...runStarted, runId }
      record(...events.map((event) => (event === runStarted ? started : event)))
      return { runId, paths, journal, record }
    },
    goOn: (paths, at) =>
      valueOf(openJournal(paths.journal, { clock: { now: () => Date.parse(at), elapsed: () => 0 } })),
    writeTasks(tasks) {
      writeFileSync(join(root, 'ralph/tasks.json'), typeof tasks === 'string' ? tasks : writeTasks(tasks))
    },
    call(command, options = {}, closed = () => false) {
      const lines: string[] = []
      const remarks: string[] = []
      const output: Input['output'] = {
        line: (text) => void lines.push(...text.split('\n')),
        remark: (text) => void remarks.push(...text.split('\n')),
        isClosed: closed,
      }
      return { lines, remarks, end: command({ args: [], options, output, env, cwd: root }) }
    },
  }
}

export function valueOf<T, E>(result: Result<T, E>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}
