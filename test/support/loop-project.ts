import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import type { Recorded } from '../../src/model/event.ts'
import type { Story, TaskList } from '../../src/model/story.ts'

const root = new URL('../../', import.meta.url).pathname
export const ralph = join(root, 'scripts', 'ralph.mjs')
const actor = join(root, 'test', 'fixtures', 'agents', 'actor.mjs')

/** The words of a scene: the body of `async (stage) => { … }`, see test/fixtures/agents/actor.mjs. */
export type Scene = string

export interface LoopSetup {
  /** How many stories, or what is special about each; the rest is filled in. */
  readonly stories?: number | readonly Partial<Story>[]
  readonly verifyCommands?: readonly string[]
  /** More of tasks.json. */
  readonly list?: Partial<TaskList>
  /** False: see `withoutMask`. */
  readonly mask?: boolean
  /** More files, committed at the start. */
  readonly files?: Readonly<Record<string, string>>
}

export interface RunResult {
  readonly exitCode: number | undefined
  readonly stdout: string
  readonly stderr: string
  /** All of the last run's journal. */
  readonly events: readonly Recorded[]
}

/** A project in a temporary place, a fake `claude` on PATH, a state directory of its own; everything runs the committed bundle. */
export class LoopProject {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'ralph loop ')))
  readonly project = join(this.root, 'project')
  readonly state = join(this.root, 'state')
  readonly home = join(this.root, 'home')
  readonly bin = join(this.root, 'bin')
  readonly scenePath = join(this.root, 'scene.mjs')
  readonly notesPath = join(this.root, 'notes.json')
  readonly env: Record<string, string>
  /** The Ralph that runs; a test that changes its files has a copy. */
  ralph = ralph
  /** Of one command; long tests give it more. */
  timeoutMs = 110_000

  constructor(setup: LoopSetup = {}) {
    for (const directory of [this.project, this.home, this.bin]) mkdirSync(directory)
    this.env = {
      PATH: `${this.bin}:${process.env['PATH'] ?? ''}`,
      HOME: this.home,
      RALPH_STATE_DIR: this.state,
      GIT_CONFIG_GLOBAL: this.write('../gitconfig', '[user]\n\tname = User\n\temail = user@example.org\n'),
      GIT_CONFIG_NOSYSTEM: '1',
      // The tests may run as root, and the fake is no danger.
      IS_SANDBOX: '1',
      ACTOR_SCENE: this.scenePath,
      ACTOR_NOTES: this.notesPath,
      NO_COLOR: '1',
      // Whatever sandboxes the machine of the tests has.
      RALPH_ISOLATION: 'none',
    }
    this.addAgent('claude')
    this.git('init', '-q', '-b', 'main')
    this.write('README.md', 'a project\n')
    this.write('ralph/prd.md', '# What is wanted\n')
    this.write('ralph/progress.txt', '# Ralph Progress Log\n\n---\n')
    this.write('ralph/tasks.json', `${JSON.stringify(taskList(setup), null, 2)}\n`)
    for (const [path, text] of Object.entries(setup.files ?? {})) this.write(path, text)
    this.commit('start')
    if (setup.mask === false) this.withoutMask()
  }

  /** Puts an agent on PATH that plays the scene and speaks as this one does. */
  addAgent(name: 'claude' | 'codex', version = '999.0.0'): void {
    const program = `#!/bin/sh\nACTOR_VERSION='${version}' exec '${process.execPath}' '${actor}' ${name} "$@"\n`
    writeFileSync(join(this.bin, name), program, { mode: 0o755 })
  }

  /** As on a machine where bubblewrap does not work: agents reach Ralph's own files. */
  withoutMask(): this {
    writeFileSync(join(this.bin, 'bwrap'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    return this
  }

  /** As on a machine without any sandbox. */
  withoutBoxes(): this {
    for (const name of ['sbx', 'docker', 'srt']) {
      writeFileSync(join(this.bin, name), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    }
    return this
  }

  /** Plain git, as the user calls it. */
  git(...args: string[]): string {
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: this.home,
      GIT_CONFIG_GLOBAL: this.env['GIT_CONFIG_GLOBAL'],
      GIT_CONFIG_NOSYSTEM: '1',
    }
    return execFileSync('git', args, { cwd: this.project, env, encoding: 'utf8', stdio: 'pipe' })
  }

  commit(message: string): void {
    this.git('add', '-A')
    this.git('commit', '-q', '-m', message)
  }

  write(path: string, text: string): string {
    const full = join(this.project, path)
    mkdirSync(dirname(full), { recursive: true })
    writeFileSync(full, text)
    return full
  }

  read(path: string): string {
    return readFileSync(join(this.project, path), 'utf8')
  }

  has(path: string): boolean {
    return existsSync(join(this.project, path))
  }

  list(): TaskList {
    return JSON.parse(this.read('ralph/tasks.json')) as TaskList
  }

  story(id: string): Story {
    const story = this.list().userStories.find((one) => one.id === id)
    if (story === undefined) throw new Error(`no story ${id}`)
    return story
  }

  /** What every start of the agent does from now on. */
  play(scene: Scene): this {
    writeFileSync(this.scenePath, `export default async (stage) => {\n${scene}\n}\n`)
    return this
  }

  /** What the scenes wrote down. */
  notes(): Record<string, unknown> {
    return existsSync(this.notesPath)
      ? (JSON.parse(readFileSync(this.notesPath, 'utf8')) as Record<string, unknown>)
      : {}
  }

  /** As if a scene had written it down. */
  note(notes: Record<string, unknown>): void {
    writeFileSync(this.notesPath, JSON.stringify(notes))
  }

  /** Starts `ralph run …` and gives the process: for tests that kill it. */
  start(args: readonly string[] = [], env: Record<string, string> = {}) {
    return this.command(['run', ...args], env)
  }

  command(words: readonly string[], env: Record<string, string> = {}, cwd = this.project) {
    return execa(process.execPath, [this.ralph, ...words], {
      cwd,
      env: { ...this.env, ...env },
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
      timeout: this.timeoutMs,
      // Ended by a signal it still judges what the agent left, which takes its time on a busy machine.
      forceKillAfterDelay: 30_000,
    })
  }

  async run(args: readonly string[] = [], env: Record<string, string> = {}): Promise<RunResult> {
    const { exitCode, stdout, stderr } = await this.start(args, env)
    return { exitCode, stdout, stderr, events: this.events() }
  }

  /** The ids of all runs, oldest first. */
  runs(): string[] {
    const [project] = existsSync(this.state) ? readdirSync(this.state) : []
    const runs = project === undefined ? '' : join(this.state, project, 'runs')
    return existsSync(runs) ? readdirSync(runs).sort() : []
  }

  runDirectory(runId = this.runs().at(-1) ?? ''): string {
    const [project = ''] = readdirSync(this.state)
    return join(this.state, project, 'runs', runId)
  }

  /** The journal of a run, the last one by default; throws if it has a gap. */
  events(runId = this.runs().at(-1)): Recorded[] {
    if (runId === undefined) return []
    const path = join(this.runDirectory(runId), 'journal.ndjson')
    const lines = existsSync(path)
      ? readFileSync(path, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
      : []
    const events = lines.map((line) => JSON.parse(line) as Recorded)
    const gap = events.findIndex(({ seq }, index) => seq !== index + 1)
    if (gap !== -1) throw new Error(`a gap in the journal before record ${gap + 1}`)
    return events
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true })
  }
}

export function violationsIn(events: readonly Recorded[]): string[] {
  return events.flatMap((event) =>
    event.kind === 'verdict.given' || event.kind === 'stories.moved' ? event.violations.map(({ rule }) => rule) : [],
  )
}

function taskList({ stories = 1, verifyCommands = ['test -d work'], list = {} }: LoopSetup): TaskList {
  const given: readonly Partial<Story>[] =
    typeof stories === 'number' ? Array.from({ length: stories }, () => ({})) : stories
  return {
    project: 'A project',
    branchName: 'ralph/feature',
    description: 'What is wanted',
    verifyCommands: [...verifyCommands],
    userStories: given.map((story, index) =>
      Object.assign(
        {
          id: `US-${String(index + 1).padStart(3, '0')}`,
          title: `Story ${index + 1}`,
          description: 'A story.',
          acceptanceCriteria: [`work/US-${String(index + 1).padStart(3, '0')}.txt exists`],
          priority: index + 1,
          passes: false,
          reviewStatus: null,
          reviewCount: 0,
          reviewFeedback: '',
          notes: '',
          dependsOn: [],
        },
        story,
      ),
    ),
    ...list,
  }
}
