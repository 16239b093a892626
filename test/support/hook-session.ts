import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import type { JsonObject } from '../../src/base/json.ts'

export const launcher = new URL('../../scripts/hook.sh', import.meta.url).pathname

export type Hook = 'stop' | 'pre-tool-use' | 'post-tool-use' | 'session-start'

export interface HookEnd {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface HookCall {
  readonly input?: JsonObject | string | Buffer
  /** Over those of Claude Code; undefined takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
  /** What reads the launcher instead of its own first line. */
  readonly shell?: readonly [string, ...string[]]
}

/** A session of Claude Code as a hook sees it: its variables, its directories and its transcript. */
export class HookSession {
  readonly id = '6a461c4a-b312-49f4-8615-26316bffe6e3'
  readonly root: string
  readonly project: string
  readonly data: string
  readonly transcript: string

  constructor(root: string) {
    this.root = root
    this.project = join(root, 'project')
    this.data = join(root, 'data')
    this.transcript = join(root, 'transcript.jsonl')
    mkdirSync(this.project)
    mkdirSync(this.data)
  }

  /** Where the context monitor keeps what it knows of this session. */
  get state(): string {
    return join(this.data, 'context', this.id)
  }

  remembered(): string[] {
    return readdirSync(this.state).toSorted()
  }

  input(more: JsonObject = {}): JsonObject {
    return {
      session_id: this.id,
      transcript_path: this.transcript,
      cwd: this.project,
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'echo hi' },
      tool_response: { stdout: 'hi' },
      tool_use_id: 'toolu_1',
      ...more,
    }
  }

  env(more: HookCall['env'] = {}): Record<string, string> {
    const all = {
      PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`,
      HOME: this.root,
      TMPDIR: this.root,
      CLAUDE_PLUGIN_DATA: this.data,
      CLAUDE_PROJECT_DIR: this.project,
      CLAUDE_CODE_SESSION_ID: this.id,
      ...more,
    }
    return Object.fromEntries(
      Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    )
  }

  run(hook: Hook, call: HookCall = {}): HookEnd {
    const [program, ...args] = [...(call.shell ?? []), launcher, hook]
    const { status, stdout, stderr, error } = spawnSync(program ?? '', args, {
      cwd: call.cwd ?? this.project,
      env: this.env(call.env),
      input: text(call.input ?? this.input()),
      encoding: 'utf8',
      timeout: 30_000,
    })
    if (error !== undefined && !('code' in error && error.code === 'EPIPE')) throw error
    return { code: status, out: stdout, err: stderr }
  }

  /** So many calls that end at the same time. */
  together(count: number, hook: Hook): Promise<HookEnd[]> {
    const one = (): Promise<HookEnd> =>
      new Promise((resolve, reject) => {
        const child = spawn(launcher, [hook], { cwd: this.project, env: this.env() })
        const said = { out: '', err: '' }
        child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()))
        child.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()))
        // It need not read what it is told.
        child.stdin.on('error', () => {})
        child.on('error', reject)
        child.on('close', (code) => resolve({ code, ...said }))
        child.stdin.end(text(this.input()))
      })
    return Promise.all(Array.from({ length: count }, one))
  }

  /** A PATH on which `node` only notes how it was started, and those notes. */
  fakeNode(): { readonly PATH: string; readonly starts: () => string[] } {
    const folder = join(this.root, 'fake bin')
    const notes = join(this.root, 'starts')
    mkdirSync(folder, { recursive: true })
    writeFileSync(notes, '')
    writeFileSync(join(folder, 'node'), `#!/bin/sh\nprintf '%s\\n' "$*" >>'${notes}'\n`)
    chmodSync(join(folder, 'node'), 0o755)
    const starts = (): string[] => readFileSync(notes, 'utf8').split('\n').slice(0, -1)
    return { PATH: `${folder}${delimiter}/usr/bin${delimiter}/bin`, starts }
  }
}

/** The words that an answer gives the model; null for no word. */
export function alertIn({ out }: HookEnd): string | null {
  if (out === '') return null
  const answer = JSON.parse(out) as { hookSpecificOutput: { additionalContext: string } }
  return answer.hookSpecificOutput.additionalContext
}

const text = (input: JsonObject | string | Buffer): string | Buffer =>
  typeof input === 'string' || Buffer.isBuffer(input) ? input : JSON.stringify(input)
