import { createHash } from 'node:crypto'
import { appendFileSync, cpSync, existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ok } from '../../src/base/result.ts'
import { chooseRun } from '../../src/cli/choose-run.ts'
import type { Input, OptionValue } from '../../src/cli/command.ts'
import { openProject, type Project } from '../../src/cli/project.ts'
import { readRunSettings } from '../../src/cli/run-settings.ts'
import { goOn, judgeOther, startNew, type Preparation } from '../../src/cli/run-stories.ts'
import { findTools, type RunTools } from '../../src/cli/run-tools.ts'
import { hostFiles } from '../../src/isolation/none.ts'
import type { Box, ExecRequest, Isolation } from '../../src/isolation/isolation.ts'
import { branchOf } from '../../src/cli/start-list.ts'
import { requestStop, type StopRequest } from '../../src/journal/control-file.ts'
import { lookAtProject } from '../../src/journal/look-at-project.ts'
import { prepareProject } from '../../src/journal/project-state.ts'
import type { Recorded } from '../../src/model/event.ts'
import type { IterationMode, Story, TaskList } from '../../src/model/story.ts'
import type { ChildEnd } from '../../src/process/run-child.ts'
import { thisHost } from '../../src/store/host.ts'
import { acquireLock } from '../../src/store/lock.ts'
import { LoopProject, type LoopSetup } from './loop-project.ts'
import { valueOf } from './watched-project.ts'

/** What an agent of a staged loop has in its hands. */
export interface Stage {
  readonly lab: LoopProject
  readonly mode: IterationMode
  readonly story: string
  readonly prompt: string
  /** True the first time in a test; remembered beside the project, so a frozen moment remembers it too. */
  first(name: string): boolean
  edit(edit: (list: TaskList, story: Story) => void): void
  /** The work that is asked for, or an approval. */
  honest(): void
  reject(): void
  commit(): void
}

/** How a start of an agent ends; a thrown error is the death of the runner. */
export type StagedEnd = 'succeeded' | 'failed' | 'empty' | 'aborted'

export interface StagedSetup extends LoopSetup {
  /** Succeeds unless it says otherwise. */
  act(stage: Stage): StagedEnd | void
  /** After an event is in the journal. */
  recorded?(event: Recorded): void
  /** The exit code of a check; without a mode it is one at the end of the run. */
  check?(at: { readonly lab: LoopProject; readonly mode: string | null; readonly command: string }): number
}

/** What is of the run in the place of a project. */
const frozen = ['project', 'state', 'notes.json']

/** A disk as it was at one instant of a run: exactly what `kill -9` leaves there. */
export interface Moment {
  readonly name: string
  readonly copy: string
}

/**
 * Whole runs in this process: everything is real (git, journal, lock, referee, files) but the processes of agents and checks,
 * which are functions. Every instant at which the runner looks at its clock, an agent or a check begins or ends, or an event
 * has been recorded can be frozen and resumed later, with nothing of this process's memory.
 */
export class StagedLoop {
  readonly lab: LoopProject
  readonly moments: Moment[] = []
  readonly #setup: StagedSetup
  readonly #project: Project
  #tools: RunTools | null = null
  #wanted: ((name: string) => boolean) | null = null
  #seen = ''
  #last = 'the start'
  #nonce = ''

  constructor(setup: StagedSetup) {
    this.#setup = setup
    this.lab = new LoopProject(setup)
    this.#project = valueOf(openProject({ cwd: this.lab.project, env: this.lab.env }))
  }

  /** One start of `ralph run`: a new run, or what is left of the last one. The exit code. */
  async run(flags: Readonly<Record<string, OptionValue>> = {}): Promise<number> {
    const project = this.#project
    const host = thisHost()
    const look = valueOf(lookAtProject(project.state, host))
    const fresh = flags['fresh'] === true
    const choice = chooseRun(look, { fresh, ralphDir: project.ralphDir, branchName: branchOf(project) })
    const input = this.#input(flags)
    const settings = valueOf(readRunSettings(input, project, choice))
    this.#tools ??= {
      ...valueOf(await findTools(project, settings.options, this.lab.env)),
      isolation: this.#isolation(),
    }
    const preparation: Preparation = {
      input,
      project,
      settings,
      tools: this.#tools,
      clock: { now: () => (this.#freeze('after'), Date.now()), elapsed: () => performance.now() },
      display: {
        event: (event) => this.#recorded(event),
        notice: () => undefined,
        remark: () => undefined,
        summary: () => undefined,
        close: () => undefined,
      },
      host,
    }
    valueOf(prepareProject(project.state))
    const lock = valueOf(acquireLock(project.state.lock, host))
    this.#nonce = lock.nonce
    try {
      if (choice.kind === 'resume') return valueOf(await goOn(preparation, choice.run, lock))
      if (choice.unjudged === null) return valueOf(await startNew(preparation, choice.previous, lock))
      const judged = valueOf(await judgeOther(preparation, choice.unjudged, lock))
      if (judged !== 0) return judged
    } finally {
      lock.release()
    }
    return this.run(flags)
  }

  /** `ralph cancel`, from an agent or a check of this very run. */
  cancel(request: StopRequest): void {
    valueOf(requestStop(this.#project.state.control, this.#nonce, request))
  }

  /** A run of which every instant that is wanted is kept. */
  async runAndFreeze(wanted: (name: string) => boolean): Promise<number> {
    this.#wanted = wanted
    try {
      return await this.run()
    } finally {
      this.#wanted = null
    }
  }

  /** Puts the disk back to a moment, once; whoever ran then is dead. */
  thaw({ copy }: Moment): void {
    for (const name of frozen) {
      rmSync(join(this.lab.root, name), { recursive: true, force: true })
      if (existsSync(join(copy, name))) renameSync(join(copy, name), join(this.lab.root, name))
    }
    rmSync(this.#project.state.lock, { force: true })
  }

  remove(): void {
    this.lab.remove()
  }

  #recorded(event: Recorded): void {
    this.#last = `${event.seq} ${event.kind}`
    this.#freeze('recorded')
    this.#setup.recorded?.(event)
  }

  #freeze(how: string): void {
    const name = `${how} ${this.#last}`
    if (this.#wanted === null || !this.#wanted(name)) return
    const seen = fingerprint(this.lab.root)
    // Nothing has changed on the disk since the last moment: it is the same one.
    if (seen === this.#seen) return
    this.#seen = seen
    const copy = join(this.lab.root, 'moments', String(this.moments.length))
    mkdirSync(copy, { recursive: true })
    for (const name of frozen) {
      if (!existsSync(join(this.lab.root, name))) continue
      cpSync(join(this.lab.root, name), join(copy, name), {
        recursive: true,
        preserveTimestamps: true,
        verbatimSymlinks: true,
      })
    }
    this.moments.push({ name, copy })
  }

  #input(flags: Readonly<Record<string, OptionValue>>): Input {
    const output = { line: () => undefined, remark: () => undefined }
    return { args: [], options: flags, output, env: this.lab.env, cwd: this.lab.project }
  }

  #isolation(): Isolation {
    return {
      name: 'none',
      boxed: false,
      programs: 'host',
      description: 'functions of a test',
      open: () => Promise.resolve(ok(this.#box())),
      endAll: () => Promise.resolve({ ended: 0, killed: 0, survivors: [] }),
    }
  }

  #box(): Box {
    return {
      ...hostFiles,
      exec: (request) => {
        this.#freeze('child starts after')
        const { exitCode, lines, cause } = request.stdin === undefined ? this.#check(request) : this.#act(request)
        this.#freeze('child ended after')
        const text = lines.map((line) => `${line}\n`).join('')
        if (request.stdoutFile !== undefined) appendFileSync(request.stdoutFile, text)
        for (const line of lines) {
          void request.onLine({ bytes: Buffer.from(line), droppedBytes: 0 }, { expectSilence: () => undefined })
        }
        return Promise.resolve(ok({ ...endOf(exitCode), ...(cause === undefined ? {} : { cause }) }))
      },
    }
  }

  #check({ env, argv }: ExecRequest): Played {
    const at = { lab: this.lab, mode: env['RALPH_MODE'] ?? null, command: argv.at(-1) ?? '' }
    const exitCode = this.#setup.check?.(at) ?? 0
    return { exitCode, lines: [`this check ends with ${exitCode}`] }
  }

  #act({ env, argv, stdin = '' }: ExecRequest): Played {
    const { lab } = this
    const mode = env['RALPH_MODE'] as IterationMode
    const story = env['RALPH_STORY'] ?? ''
    const end = this.#setup.act(stageOf(lab, { mode, story, prompt: stdin })) ?? 'succeeded'
    const plugins = [{ name: 'ralph', path: argv[argv.indexOf('--plugin-dir') + 1], source: 'ralph@inline' }]
    const init = { type: 'system', subtype: 'init', session_id: 's', model: 'staged', plugins }
    const said = { type: 'assistant', message: { content: [{ type: 'text', text: 'done' }] }, parent_tool_use_id: null }
    const isError = end === 'failed'
    const subtype = isError ? 'error_during_execution' : 'success'
    const words = isError ? 'no' : end === 'empty' ? '' : 'done'
    const result = { type: 'result', subtype, is_error: isError, result: words, total_cost_usd: 0.01 }
    const lines = [init, ...(end === 'empty' ? [] : [said]), ...(end === 'aborted' ? [] : [result])]
    return {
      exitCode: isError ? 1 : 0,
      lines: lines.map((line) => JSON.stringify(line)),
      ...(end === 'aborted' ? { cause: end } : {}),
    }
  }
}

interface Played {
  readonly exitCode: number
  readonly lines: readonly string[]
  readonly cause?: ChildEnd['cause']
}

function stageOf(lab: LoopProject, at: Pick<Stage, 'mode' | 'story' | 'prompt'>): Stage {
  const stage: Stage = {
    lab,
    ...at,
    first(name) {
      const notes = lab.notes()
      lab.note({ ...notes, [name]: true })
      return notes[name] === undefined
    },
    edit(edit) {
      const list = lab.list()
      const story = list.userStories.find(({ id }) => id === at.story)
      if (story === undefined) throw new Error(`no story ${at.story}`)
      edit(list, story)
      lab.write('ralph/tasks.json', `${JSON.stringify(list, null, 2)}\n`)
    },
    honest() {
      if (at.mode === 'review') {
        stage.edit((_, one) =>
          Object.assign(one, { reviewStatus: 'approved', passes: true, reviewCount: one.reviewCount + 1 }),
        )
      } else {
        lab.write(`work/${at.story}.txt`, `${at.mode}\n`)
        stage.edit((_, one) =>
          Object.assign(one, {
            reviewStatus: 'needs_review',
            reviewFeedback: '',
            notes: `${one.notes ?? ''}${at.mode}. `,
          }),
        )
      }
      stage.commit()
    },
    reject() {
      const rejection = { reviewStatus: 'changes_requested', reviewFeedback: 'not so' }
      stage.edit((_, one) => Object.assign(one, rejection, { reviewCount: one.reviewCount + 1 }))
      stage.commit()
    },
    commit() {
      lab.git('add', '-A')
      lab.git('commit', '-q', '--allow-empty', '-m', `${at.mode} ${at.story}`)
    },
  }
  return stage
}

function endOf(exitCode: number): ChildEnd {
  const stream = { bytes: 0, notLoggedBytes: 0, logError: null }
  return {
    cause: 'exited',
    exitCode,
    signal: null,
    durationMs: 1,
    stdout: stream,
    stderr: stream,
    stderrTail: '',
    tree: { ended: 0, killed: 0, survivors: [] },
  }
}

/** Names, sizes and times of everything but the moments themselves. */
function fingerprint(root: string): string {
  const hash = createHash('sha1')
  const walk = (directory: string): void => {
    for (const name of readdirSync(directory).sort()) {
      const path = join(directory, name)
      const { mtimeMs, size, ino, mode } = lstatSync(path)
      hash.update(`${path} ${mtimeMs} ${size} ${ino} ${mode}\n`)
      if (lstatSync(path).isDirectory()) walk(path)
    }
  }
  for (const name of ['project', 'state']) if (existsSync(join(root, name))) walk(join(root, name))
  return hash.digest('hex')
}
