import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Story, TaskList } from '../src/model/story.ts'
import { markerVersion, snapshotForMarker, writeMarker } from '../src/tasks/marker.ts'
import { writeTasks } from '../src/tasks/read-tasks.ts'
import { takeSnapshot } from '../src/tasks/take-snapshot.ts'
import { atMost, interleave, type Row } from './measure.ts'

const root = join(import.meta.dirname, '..')
const launcher = join(root, 'scripts/hook.sh')
const session = '6a461c4a-b312-49f4-8615-26316bffe6e3'
const certificates = '/etc/ssl/certs/ca-certificates.crt'

/** What every tool call and every end of a turn pays for the plugin, beside the start of a bare node. */
export async function hooks(): Promise<Row[]> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-bench-')))
  try {
    const bench = new HookBench(directory)
    const idle = await interleave(15, {
      node: () => bench.nodeInBatch(),
      'session-start': () => bench.idle('session-start'),
      'pre-tool-use': () => bench.idle('pre-tool-use'),
      'post-tool-use': () => bench.idle('post-tool-use'),
      stop: () => bench.idle('stop'),
    })
    const busy = await withoutShell(40, bench, {
      node: () => bench.node(),
      status: () => bench.status(),
      first: () => bench.look('first'),
      again: () => bench.look('again'),
      guard: () => bench.guard('npm test'),
      parsed: () => bench.guard('npm test 2>&1 | tail -n 20'),
      stop: () => bench.stop(),
    })
    const slow = existsSync(certificates)
      ? await withoutShell(20, bench, {
          node: () => bench.node(),
          status: () => bench.status(),
          again: () => bench.look('again', { NODE_EXTRA_CA_CERTS: certificates }),
          guard: () => bench.guard('npm test', { NODE_EXTRA_CA_CERTS: certificates }),
          stop: () => bench.stop({ NODE_EXTRA_CA_CERTS: certificates }),
        })
      : null
    const hidden = (name: string): string => `${name}, with NODE_EXTRA_CA_CERTS`
    return [
      ...(['session-start', 'pre-tool-use', 'post-tool-use', 'stop'] as const).map((hook) =>
        atMost(`${hook} with nothing to do / node -e 0`, idle[hook] / batch, idle.node / batch, 0.15),
      ),
      atMost('context, 100 MB transcript, first look', busy.first, busy.node, 1.15),
      atMost('context, 100 MB transcript, after its bound', busy.again, busy.node, 1.15),
      atMost('guard, a plain command in a loop', busy.guard, busy.node, 1.3),
      atMost('guard, a command that takes a parser', busy.parsed, busy.node, 1.3),
      atMost('stop, 20 stories, clean tree / node + git status', busy.stop, busy.node * 1.15 + busy.status, 1),
      ...(slow === null
        ? []
        : [
            atMost(hidden('context'), slow.again, slow.node, 1.15),
            atMost(hidden('guard'), slow.guard, slow.node, 1.3),
            atMost(hidden('stop'), slow.stop, slow.node * 1.15 + slow.status, 1),
          ]),
    ]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** The shell that starts each of them costs all alike, and is no part of any. */
async function withoutShell<Name extends string>(
  rounds: number,
  bench: HookBench,
  subjects: Readonly<Record<Name, () => unknown>>,
): Promise<Record<Name, number>> {
  const all: Record<string, () => unknown> = { ...subjects, shell: () => bench.shell() }
  const times = await interleave(rounds, all)
  const shell = times['shell'] ?? 0
  return Object.fromEntries(Object.entries(times).map(([name, ms]) => [name, ms - shell])) as Record<Name, number>
}

type Variables = Readonly<Record<string, string>>

interface Run {
  readonly count?: number
  readonly input?: string
  readonly variables?: Variables
}

interface Call extends Omit<Run, 'input'> {
  readonly command?: string
}

/** How often a hook with nothing to do is started in one measurement. */
const batch = 10

/** A session outside of any loop, with a long transcript, and a project with a loop of 20 stories. */
class HookBench {
  readonly #directory: string
  readonly #elsewhere: string
  readonly #project: string
  readonly #data: string
  readonly #transcript: string
  readonly #state: string

  constructor(directory: string) {
    this.#directory = directory
    this.#elsewhere = join(directory, 'elsewhere')
    this.#project = join(directory, 'project')
    this.#data = join(directory, 'data')
    this.#transcript = join(directory, 'transcript.jsonl')
    this.#state = join(this.#data, 'context', session)
    for (const path of [this.#elsewhere, this.#project, this.#data]) mkdirSync(path)
    const filler = `${JSON.stringify({ type: 'user', message: { content: 'x'.repeat(100_000) } })}\n`
    // Line by line: a process that holds 100 MB takes longer to start another one.
    for (let line = 0; line < 1000; line++) appendFileSync(this.#transcript, filler)
    appendFileSync(this.#transcript, usedLine)
    makeLoop(this.#project)
    // The first look makes the directories.
    this.#hook('post-tool-use', this.#elsewhere)
  }

  shell(): void {
    this.#run([], this.#elsewhere, { count: 0 })
  }

  node(): void {
    this.#run([process.execPath, '-e', '0'], this.#elsewhere)
  }

  nodeInBatch(): void {
    this.#run([process.execPath, '-e', '0'], this.#elsewhere, { count: batch })
  }

  status(): void {
    this.#run(['git', 'status', '--porcelain'], this.#project)
  }

  /** As in a session of somebody who never starts a loop. */
  idle(hook: string): void {
    if (hook === 'post-tool-use') this.#leave('look-0-120000')
    if (hook === 'session-start') this.#forget()
    this.#hook(hook, this.#elsewhere, { count: batch })
  }

  look(kind: 'first' | 'again', variables: Variables = {}): void {
    this.#leave(kind === 'first' ? null : 'look-0-100000')
    this.#hook('post-tool-use', this.#elsewhere, { variables })
  }

  guard(command: string, variables: Variables = {}): void {
    this.#hook('pre-tool-use', this.#project, { command, variables: { ...ofRun, ...variables } })
  }

  stop(variables: Variables = {}): void {
    this.#hook('stop', this.#project, { variables: { ...ofRun, ...variables } })
  }

  #forget(): void {
    rmSync(this.#state, { recursive: true, force: true })
  }

  /** What the last look left; the directory stays. */
  #leave(name: string | null): void {
    mkdirSync(this.#state, { recursive: true, mode: 0o700 })
    for (const file of readdirSync(this.#state)) if (file.startsWith('look-')) rmSync(join(this.#state, file))
    if (name !== null) symlinkSync(this.#transcript, join(this.#state, name))
  }

  #hook(hook: string, project: string, { command = 'npm test', ...more }: Call = {}): void {
    const input = join(this.#directory, `${hook} ${command.length}.json`)
    if (!existsSync(input)) writeFileSync(input, JSON.stringify(this.#input(hook, project, command)))
    const said = this.#run([launcher, hook], project, { input, ...more })
    if (hook !== 'post-tool-use' && said !== '') throw new Error(`${hook} has said ${said}`)
  }

  #input(hook: string, project: string, command: string) {
    return {
      session_id: session,
      transcript_path: this.#transcript,
      cwd: project,
      hook_event_name: eventOf[hook],
      tool_name: 'Bash',
      tool_input: { command, description: 'Run the tests' },
      tool_response: { stdout: 'ok', stderr: '' },
      tool_use_id: 'toolu_1',
      stop_hook_active: false,
      last_assistant_message: 'I am done.',
    }
  }

  /** Started by a small shell, since this process is large and takes some milliseconds to start anything. */
  #run(command: readonly string[], cwd: string, { count = 1, input = '/dev/null', variables = {} }: Run = {}): string {
    const script = 'n=$1; input=$2; shift 2; while [ "$n" -gt 0 ]; do "$@" <"$input" || exit; n=$((n - 1)); done'
    const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', script, 'sh', String(count), input, ...command], {
      cwd,
      env: { ...this.#env(), CLAUDE_PROJECT_DIR: cwd, ...variables },
      encoding: 'utf8',
    })
    // A hook that is in trouble is fast.
    if (status !== 0 || stderr !== '') throw new Error(`${command.join(' ')} ended with ${status}: ${stderr}`)
    return stdout
  }

  #env(): Record<string, string> {
    return {
      PATH: process.env['PATH'] ?? '',
      HOME: this.#directory,
      TMPDIR: this.#directory,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      CLAUDE_PLUGIN_DATA: this.#data,
      CLAUDE_CODE_SESSION_ID: session,
    }
  }
}

const runId = '20261116-024656-0a1b2c3d'
/** What the runner tells every agent. */
const ofRun: Variables = { RALPH_RUN_ID: runId, RALPH_DIR: 'ralph' }
const eventOf: Readonly<Record<string, string>> = {
  stop: 'Stop',
  'pre-tool-use': 'PreToolUse',
  'post-tool-use': 'PostToolUse',
  'session-start': 'SessionStart',
}

/** 55 % of its window, so that there is something to remember and nothing to say after the first time. */
const usedLine = `${JSON.stringify({
  isSidechain: false,
  message: {
    id: 'msg_1',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content: [{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'npm test' } }],
    usage: {
      input_tokens: 10,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 110_000,
      output_tokens: 50,
    },
  },
  requestedModel: 'claude-sonnet-4-5',
  type: 'assistant',
})}\n`

/** A committed project in the middle of an iteration of this session, with nothing that Stop could object to. */
function makeLoop(project: string): void {
  const userStories = Array.from({ length: 20 }, (_, index): Story => ({
    id: `US-${index + 1}`,
    title: `Story ${index + 1}`,
    description: 'What it is about, in a sentence or two that a person wrote for another person.',
    acceptanceCriteria: ['The first thing happens', 'The second thing happens'],
    priority: index + 1,
    passes: false,
    reviewStatus: null,
    reviewCount: 0,
    reviewFeedback: '',
    notes: 'Some notes.',
    dependsOn: [],
  }))
  const list: TaskList = { project: 'Bench', branchName: 'ralph/bench', description: '', userStories }
  mkdirSync(join(project, 'ralph'))
  const [first, ...others] = userStories as [Story, ...Story[]]
  const submitted: Story[] = [{ ...first, reviewStatus: 'needs_review' }, ...others]
  writeFileSync(join(project, 'ralph', 'tasks.json'), writeTasks({ ...list, userStories: submitted }))
  writeFileSync(join(project, 'ralph', 'prd.md'), '# What is wanted\n')
  writeFileSync(join(project, 'ralph', 'progress.txt'), '# Log\n---\nDone.\n')
  writeFileSync(join(project, '.gitignore'), '.ralph-active\n')
  const identity = ['-c', 'user.name=B', '-c', 'user.email=b@example.org']
  const git = (...words: string[]): string =>
    execFileSync('git', [...identity, ...words], { cwd: project, encoding: 'utf8' })
  git('init', '-q', '-b', 'ralph/bench')
  git('add', '-A')
  git('commit', '-q', '-m', 'start')
  const marker = writeMarker({
    version: markerVersion,
    timestamp: '2026-11-16T02:46:56.000Z',
    pid: process.pid,
    runId,
    sessionId: session,
    iteration: 3,
    max_iterations: 15,
    mode: 'direct',
    ralphDir: 'ralph',
    story: 'US-1',
    base: git('rev-parse', 'HEAD').trim(),
    branch: 'ralph/bench',
    skipReview: false,
    reviewCap: 5,
    iterationMode: 'implement',
    ...snapshotForMarker(takeSnapshot(list)),
    hashes: {},
    leaveOut: [],
  })
  writeFileSync(join(project, '.ralph-active'), marker)
}
