import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { JsonObject } from '../../src/base/json.ts'
import type { IterationMode, TaskList } from '../../src/model/story.ts'
import { snapshotForMarker, writeMarker, type Marker } from '../../src/tasks/marker.ts'
import { writeTasks } from '../../src/tasks/read-tasks.ts'
import { takeSnapshot } from '../../src/tasks/take-snapshot.ts'
import { HookSession, type HookCall, type HookEnd } from './hook-session.ts'

/** A project in the middle of an iteration, as the runner leaves it to the agent and its hooks. */
export class MarkedProject extends HookSession {
  readonly runId = '20261116-024656-0a1b2c3d'
  readonly base: string

  constructor(root: string, list: TaskList, mode: IterationMode = 'implement', fields: Partial<Marker> = {}) {
    super(root)
    this.git('init', '-q', '-b', 'ralph/demo')
    this.git('config', 'user.name', 'User')
    this.git('config', 'user.email', 'user@example.org')
    this.write('.git/info/exclude', '.ralph-active\n.ralph/guardrail_*\n')
    this.write('ralph/prd.md', '# What is wanted\n')
    this.write('ralph/prompt.md', 'Do it.\n')
    this.write('ralph/progress.txt', '# Progress\n---\n')
    this.write('test/checks.sh', 'exit 0\n')
    this.write('src/app.ts', 'export const one = 1\n')
    this.list(list)
    this.commit()
    this.base = this.git('rev-parse', 'HEAD').trim()
    this.mark({ ...this.marker(list, mode), ...fields })
  }

  marker(list: TaskList, mode: IterationMode): Marker {
    const guarded = ['ralph/prd.md', 'ralph/prompt.md', 'test/checks.sh']
    const hashes = guarded.map((path) => [path, sha256(readFileSync(join(this.project, path)))] as const)
    return {
      version: 1,
      timestamp: '2026-11-16T02:46:56.000Z',
      pid: process.pid,
      runId: this.runId,
      sessionId: this.id,
      iteration: 3,
      max_iterations: 15,
      mode: 'direct',
      ralphDir: 'ralph',
      story: 'A',
      base: this.base,
      branch: 'ralph/demo',
      skipReview: false,
      reviewCap: 5,
      iterationMode: mode,
      ...snapshotForMarker(takeSnapshot(list)),
      hashes: Object.fromEntries(hashes),
      leaveOut: [],
    }
  }

  mark(marker: Partial<Marker>): void {
    this.write('.ralph-active', writeMarker(marker as Marker))
  }

  list(list: TaskList): void {
    this.write('ralph/tasks.json', writeTasks(list))
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.project, path)), { recursive: true })
    writeFileSync(join(this.project, path), text)
  }

  /** Makes room for something that is no file. */
  place(path: string): string {
    rmSync(join(this.project, path), { recursive: true, force: true })
    return join(this.project, path)
  }

  git(...args: string[]): string {
    const env = { ...this.env(), GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
    return execFileSync('git', args, { cwd: this.project, env, encoding: 'utf8', stdio: 'pipe' })
  }

  commit(): void {
    this.git('add', '-A')
    this.git('commit', '-q', '--allow-empty', '-m', 'Work')
  }

  override input(more: JsonObject = {}): JsonObject {
    return { ...stopInput, session_id: this.id, cwd: this.project, ...more }
  }

  /** A turn that ends. */
  end(call: HookCall = {}): HookEnd & { readonly reason: string | null } {
    const end = this.run('stop', call)
    return { ...end, reason: end.out === '' ? null : reasonIn(end.out) }
  }
}

function reasonIn(out: string): string {
  const { decision, reason, ...rest } = JSON.parse(out) as { decision: string; reason: string }
  if (decision !== 'block' || Object.keys(rest).length > 0) throw new Error(`no answer of a Stop hook: ${out}`)
  return reason
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** What the real Claude Code gives a Stop hook. */
export const stopInput: JsonObject = {
  session_id: 'c75869d8-c638-414b-b106-66f75886ce33',
  transcript_path: '/home/dev/.claude/projects/-home-dev-project/c75869d8-c638-414b-b106-66f75886ce33.jsonl',
  cwd: '/home/dev/project',
  prompt_id: 'aba53ed7-9d8b-4555-a69c-a9859f15f478',
  permission_mode: 'bypassPermissions',
  effort: { level: 'medium' },
  hook_event_name: 'Stop',
  stop_hook_active: false,
  last_assistant_message: 'one',
  background_tasks: [],
  session_crons: [],
}
