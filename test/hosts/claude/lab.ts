import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { IterationMode } from '../../../src/model/story.ts'
import { LoopProject, type LoopSetup } from '../../support/loop-project.ts'
import { MessagesApi, says, type Answer, type Asked, type Block } from './messages-api.ts'

/** Null where there is no Claude Code for this platform. */
export const claudeProgram: string | null = inject('claude')

/** One answer a turn; after the last one the model says that it is done. */
export type Act = (story: string, asked: Asked) => readonly Answer[]

/**
 * A project in which `claude` is the real one, with a home of its own, a made-up key and a scripted model on 127.0.0.1.
 * Nothing of this machine's settings or variables reaches it.
 */
export class ClaudeLab extends LoopProject {
  readonly config = join(this.home, '.claude')
  readonly api: MessagesApi

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
      const { mode, story } = taskOf(asked)
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

  edits(act: 'submit' | 'approve' | 'reject', text = '', message = `${act} it`): Answer {
    const program = join(import.meta.dirname, 'edit-list.mjs')
    return says(bash(`node '${program}' ${act} '${text}' && git add -A && git commit -q -m '${message}'`))
  }

  /** The requests of the iterations in one mode. */
  asked(mode: IterationMode): Asked[] {
    return this.api.asked.filter((asked) => taskOf(asked).mode === mode)
  }
}

export const bash = (command: string): Block => ({ tool: 'Bash', input: { command, description: 'Work' } })

/** What the runner has ordered, by the head of the prompt. */
function taskOf({ prompt }: Asked): { readonly mode: IterationMode; readonly story: string } {
  const [, mode = '', story = ''] = /^Mode: \*\*([\w-]+)\*\*\. Story: \*\*([\w.-]+)\*\*/m.exec(prompt) ?? []
  if (story === '') throw new Error(`not a prompt of Ralph's: ${prompt.slice(0, 200)}`)
  return { mode: mode as IterationMode, story }
}
