import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { inject } from 'vitest'
import type { IterationMode, Story } from '../../../src/model/story.ts'
import { LoopProject, type LoopSetup } from '../../support/loop-project.ts'
import { MessagesApi, says, type Answer, type Asked, type Block } from './messages-api.ts'
import { readStream, type Stream } from './stream.ts'

/** Null where there is no Claude Code for this platform. */
export const claudeProgram: string | null = inject('claude')

/** One answer a turn; after the last one the model says that it is done. */
export type Act = (story: string, asked: Asked) => readonly Answer[]

export interface SessionSetup {
  /** The model's, one a turn; after the last one it says that it is done. */
  readonly answers?: readonly Answer[]
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/**
 * A project in which `claude` is the real one, with a home of its own, a made-up key and a scripted model on 127.0.0.1.
 * Nothing of this machine's settings or variables reaches it.
 */
export class ClaudeLab extends LoopProject {
  readonly config = join(this.home, '.claude')
  readonly api: MessagesApi
  /** What the model answers to a person, one answer a turn. */
  #toUser: readonly Answer[] = []

  private constructor(api: MessagesApi, setup: LoopSetup) {
    super(setup)
    this.api = api
    // Sockets of Claude Code are in it, whose paths must be short.
    const temporary = join(this.root, 't')
    mkdirSync(temporary)
    const claude = join(this.bin, 'claude')
    rmSync(claude)
    symlinkSync(claudeProgram ?? '', claude)
    Object.assign(this.env, {
      CLAUDE_CONFIG_DIR: this.config,
      ANTHROPIC_BASE_URL: api.url,
      ANTHROPIC_API_KEY: 'key-that-is-none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      TMPDIR: temporary,
      CLAUDE_CODE_TMPDIR: temporary,
    })
  }

  static async open(setup: LoopSetup = {}): Promise<ClaudeLab> {
    const lab = new ClaudeLab(await MessagesApi.open(), setup)
    return lab.acts({})
  }

  async close(): Promise<void> {
    await this.api.close()
    this.remove()
  }

  /** The model does what the iteration is for, unless it is told otherwise. */
  acts(acts: Partial<Record<IterationMode, Act>>): this {
    this.api.model = (asked) => {
      const task = taskOf(asked)
      if (task === null) return this.#toUser[asked.turn] ?? says('Done.')
      const { mode, story } = task
      const act = acts[mode] ?? ((story: string) => this.honest(mode, story))
      return act(story, asked)[asked.turn] ?? says(`I have done ${mode} ${story}.`)
    }
    return this
  }

  honest(mode: IterationMode, story: string): readonly Answer[] {
    const path = join(this.project, 'work', `${story}.txt`)
    if (mode === 'review') return [says({ tool: 'Read', input: { file_path: path } }), this.edits('approve')]
    if (mode === 'implement') {
      return [says(`I build ${story}.`, { tool: 'Write', input: { file_path: path, content: 'v1\n' } }), this.submits()]
    }
    const edit = { file_path: path, old_string: 'v1', new_string: 'v2' }
    return [says({ tool: 'Read', input: { file_path: path } }), says({ tool: 'Edit', input: edit }), this.submits()]
  }

  submits(message?: string): Answer {
    return this.edits('submit', '', message)
  }

  rejects(feedback: string): Answer {
    return this.edits('reject', feedback)
  }

  /** Any fields of the story, legal or not. */
  sets(fields: Partial<Story>): Answer {
    return this.edits('set', JSON.stringify(fields))
  }

  edits(act: 'submit' | 'approve' | 'reject' | 'set', text = '', message = `${act} it`): Answer {
    const program = join(import.meta.dirname, 'edit-list.mjs')
    return says(bash(`node '${program}' ${act} '${text}' && git add -A && git commit -q -m '${message}'`))
  }

  /** The requests of the iterations in one mode. */
  asked(mode: IterationMode): Asked[] {
    return this.api.asked.filter((asked) => taskOf(asked)?.mode === mode)
  }

  /** Everything that a session has asked the model. */
  askedIn({ init }: Stream): Asked[] {
    return this.api.asked.filter(({ headers }) => headers['x-claude-code-session-id'] === init['session_id'])
  }

  /** The streams of the starts of the last run, in order. */
  streams(): Stream[] {
    const directory = join(this.runDirectory(), 'iterations')
    const names = readdirSync(directory).filter((name) => name.endsWith('.ndjson'))
    return names.toSorted().map((name) => readStream(readFileSync(join(directory, name), 'utf8')))
  }

  /** A command of Claude Code's, as the user types it. */
  async claude(...args: readonly string[]): Promise<{ readonly exitCode: number | undefined; readonly text: string }> {
    const { exitCode, all } = await execa(claudeProgram ?? '', args, { ...this.#options(), all: true, stdin: 'ignore' })
    return { exitCode, text: all }
  }

  /** A session of the user's own in the project: no runner has started it. */
  async session(prompt: string, { answers = [], args = [], env = {} }: SessionSetup = {}): Promise<Stream> {
    this.#toUser = answers
    const words = ['-p', '--output-format', 'stream-json', '--verbose', '--include-hook-events', ...args]
    const options = { ...this.#options(env), input: prompt }
    const { stdout } = await execa(claudeProgram ?? '', [...words, '--dangerously-skip-permissions'], options)
    return readStream(stdout)
  }

  #options(env: Readonly<Record<string, string>> = {}) {
    const { project: cwd, timeoutMs: timeout } = this
    return { cwd, env: { ...this.env, ...env }, extendEnv: false, reject: false, timeout } as const
  }
}

export const bash = (command: string): Block => ({ tool: 'Bash', input: { command, description: 'Work' } })

/** What the runner has ordered, by the head of the prompt; null if somebody else speaks. */
function taskOf({ prompt }: Asked): { readonly mode: IterationMode; readonly story: string } | null {
  const [, mode, story] = /^Mode: \*\*([\w-]+)\*\*\. Story: \*\*([\w.-]+)\*\*/m.exec(prompt) ?? []
  return mode === undefined || story === undefined ? null : { mode: mode as IterationMode, story }
}
