import { execFileSync } from 'node:child_process'
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Recorded } from '../src/model/event.ts'
import { containedArgv } from '../src/process/containment.ts'
import { probeContainment } from '../src/process/probe-containment.ts'
import { median, type Row } from './measure.ts'

const root = join(import.meta.dirname, '..')
const stories = 20
/** What an iteration records when nothing happens in it. */
const eventsAnIteration = 5

/** What the loop costs an iteration beside the agent: above one spawn, its fsyncs and the git commands, from the same run. */
export async function loop(): Promise<Row[]> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-bench-')))
  try {
    const bench = new LoopBench(directory)
    const floors = await bench.floors()
    const idle = bench.run('idle', 60)
    const committing = bench.run('commit', 40)
    const long = bench.run('idle', 1000)
    const first = mean(long.slice(10, 110))
    const last = mean(long.slice(-100))
    const idleFloor = floors.spawn + eventsAnIteration * floors.fsync + floors.status
    const commitFloor = idleFloor + floors.commit + floors.fetch
    return [
      above('an iteration that commits nothing, 20 stories', median(idle), idleFloor, 10),
      above('an iteration that commits, 20 stories', median(committing), commitFloor, 40),
      {
        name: 'iterations 901 to 1,000 (floor: 11 to 110)',
        measured: `${last.toFixed(1)} ms`,
        floor: `${first.toFixed(1)} ms`,
        ratio: last / first,
        goal: '≤ 1.2 ×',
        ok: last / first <= 1.2,
      },
    ]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function above(name: string, ms: number, floorMs: number, limitMs: number): Row {
  return {
    name,
    measured: `${ms.toFixed(1)} ms`,
    floor: `${floorMs.toFixed(1)} ms`,
    ratio: ms / floorMs,
    goal: `≤ floor + ${limitMs} ms`,
    ok: ms - floorMs <= limitMs,
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

class LoopBench {
  readonly #directory: string
  readonly #env: Record<string, string>
  #count = 0

  constructor(directory: string) {
    this.#directory = directory
    this.#env = {
      PATH: process.env['PATH'] ?? '',
      HOME: directory,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: join(directory, 'gitconfig'),
    }
    writeFileSync(join(directory, 'gitconfig'), '[user]\n\tname = B\n\temail = b@example.org\n')
    const agent = (body: string) => `#!/bin/sh\ncat >/dev/null\n${body}\necho working\n`
    writeFileSync(join(directory, 'idle'), agent(''), { mode: 0o755 })
    writeFileSync(join(directory, 'commit'), agent('echo x >> file.txt; git add -A; git commit -qm work'), {
      mode: 0o755,
    })
  }

  /** Milliseconds of each iteration, from its start to the start of the next. */
  run(agent: 'idle' | 'commit', iterations: number): number[] {
    const name = `run-${this.#count++}`
    const project = this.#project(name, agent)
    const state = join(this.#directory, `${name}-state`)
    try {
      execFileSync(
        process.execPath,
        [
          join(root, 'scripts', 'ralph.mjs'),
          'run',
          '-q',
          '-a',
          'custom',
          '-n',
          String(iterations),
          '--idle-threshold',
          '1000',
        ],
        {
          cwd: project,
          env: { ...this.#env, RALPH_STATE_DIR: state },
          stdio: 'pipe',
        },
      )
    } catch (error) {
      // It ends at its last iteration, which is exit code 1.
      if (!(error instanceof Error && 'status' in error && error.status === 1)) throw error
    }
    const [directory = ''] = readdirSync(state)
    const [runId = ''] = readdirSync(join(state, directory, 'runs'))
    const journal = readFileSync(join(state, directory, 'runs', runId, 'journal.ndjson'), 'utf8')
    const starts = journal
      .split('\n')
      .filter((line) => line.includes('"kind":"iteration.started"'))
      .map((line) => Date.parse((JSON.parse(line) as Recorded).at))
    if (starts.length !== iterations) throw new Error(`${starts.length} iterations instead of ${iterations}`)
    return starts.slice(1).map((at, index) => at - (starts[index] ?? 0))
  }

  /** The cheapest way to do what an iteration cannot do without. */
  async floors(): Promise<Record<'spawn' | 'fsync' | 'status' | 'commit' | 'fetch', number>> {
    const project = this.#project('floors', 'idle')
    const containment = await probeContainment({ path: this.#env['PATH'] ?? '', forbiddenRoot: project })
    const [program = '', ...args] = containedArgv(containment, [join(this.#directory, 'idle')])
    const git = (...words: string[]) => execFileSync('git', words, { cwd: project, env: this.#env, stdio: 'pipe' })
    const file = openSync(join(this.#directory, 'synced'), 'a')
    git('clone', '-q', '--bare', '--no-local', '.', `${this.#directory}/floor.git`)
    let commits = 0
    const times = { spawn: [], fsync: [], status: [], commit: [], fetch: [] } as Record<string, number[]>
    const time = (name: string, work: () => void) => {
      const start = performance.now()
      work()
      times[name]?.push(performance.now() - start)
    }
    for (let round = 0; round < 21; round++) {
      time('spawn', () => execFileSync(program, args, { cwd: project, env: this.#env, input: 'prompt', stdio: 'pipe' }))
      time('fsync', () => {
        writeSync(file, 'x'.repeat(300))
        fsyncSync(file)
      })
      time('status', () => git('status', '--porcelain=v1', '-z', '--untracked-files=all', '--ignored=matching'))
      writeFileSync(join(project, 'file.txt'), `${commits++}`)
      time('commit', () => {
        git('add', '-A')
        git('commit', '-qm', 'work')
      })
      time('fetch', () =>
        git(
          `--git-dir=${this.#directory}/floor.git`,
          'fetch',
          '-q',
          `file://${project}`,
          `+HEAD:refs/ralph/${commits}`,
        ),
      )
    }
    closeSync(file)
    const of = (name: string) => median(times[name] ?? [])
    return { spawn: of('spawn'), fsync: of('fsync'), status: of('status'), commit: of('commit'), fetch: of('fetch') }
  }

  #project(name: string, agent: string): string {
    const project = join(this.#directory, name)
    mkdirSync(join(project, 'ralph'), { recursive: true })
    mkdirSync(join(project, '.ralph'))
    const story = (index: number) => ({
      id: `US-${index + 1}`,
      title: `Story ${index + 1}`,
      description: 'What it is about, in a sentence or two.',
      acceptanceCriteria: ['It does one thing', 'It does another'],
      priority: index + 1,
      passes: false,
      reviewStatus: null,
      reviewCount: 0,
      reviewFeedback: '',
      notes: '',
      dependsOn: [],
    })
    const userStories = Array.from({ length: stories }, (_, index) => story(index))
    const list = { project: 'Bench', branchName: 'ralph/bench', description: 'd', verifyCommands: [], userStories }
    writeFileSync(join(project, 'ralph', 'tasks.json'), `${JSON.stringify(list, null, 2)}\n`)
    writeFileSync(join(project, 'ralph', 'prd.md'), '# What is wanted\n')
    writeFileSync(
      join(project, '.ralph', 'settings.json'),
      JSON.stringify({ agent: { command: join(this.#directory, agent) } }),
    )
    const git = (...words: string[]) => execFileSync('git', words, { cwd: project, env: this.#env, stdio: 'pipe' })
    git('init', '-q', '-b', 'main')
    git('add', '-A')
    git('commit', '-qm', 'start')
    return project
  }
}
