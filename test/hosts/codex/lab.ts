import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { IterationMode } from '../../../src/model/story.ts'
import { LoopProject, type LoopSetup } from '../../support/loop-project.ts'
import { ResponsesApi, says, type Answer, type Asked, type Block } from './responses-api.ts'

/** Null where there is no codex for this platform. */
export const codexProgram: string | null = inject('codex')

/** One answer a turn; after the last one the model says that it is done. */
export type Act = (story: string, asked: Asked) => readonly Answer[]

/** What the user has in ~/.codex/config.toml: a provider of their own, on 127.0.0.1. */
export const userConfig = (url: string): string => `model_provider = "lab"
model = "gpt-5.5"

[model_providers.lab]
name = "lab"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "OPENAI_API_KEY"
request_max_retries = 1
stream_max_retries = 1

[mcp_servers.users]
command = "false"
`

/**
 * A project in which `codex` is the real one, with a home of its own, a made-up key and a scripted model on 127.0.0.1.
 * Nothing of this machine's settings or variables reaches it.
 */
export class CodexLab extends LoopProject {
  readonly config = join(this.home, '.codex')
  readonly api: ResponsesApi

  private constructor(api: ResponsesApi, setup: LoopSetup) {
    super(setup)
    this.api = api
    useCodex(this, api)
  }

  static async open(setup: LoopSetup = {}): Promise<CodexLab> {
    const lab = new CodexLab(await ResponsesApi.open(), setup)
    return lab.acts({})
  }

  async close(): Promise<void> {
    await this.api.close()
    this.remove()
  }

  override start(args: readonly string[] = [], env: Record<string, string> = {}) {
    return super.start(['--agent', 'codex', ...args], env)
  }

  /** The model does what the iteration is for, unless it is told otherwise. */
  acts(acts: Partial<Record<IterationMode, Act>>): this {
    this.api.model = (asked) => {
      const { mode, story } = taskOf(asked)
      const act = acts[mode] ?? ((story: string) => honest(mode, story))
      return act(story, asked)[asked.turn] ?? says(`I have done ${mode} ${story}.`)
    }
    return this
  }

  /** The requests of the iterations in one mode. */
  asked(mode: IterationMode): Asked[] {
    return this.api.asked.filter((asked) => taskOf(asked).mode === mode)
  }

  userConfig(): string {
    return readFileSync(join(this.config, 'config.toml'), 'utf8')
  }
}

/** Puts the real codex on the PATH of a project. */
export function useCodex(project: Pick<LoopProject, 'bin' | 'home' | 'env'>, api: ResponsesApi): void {
  symlinkSync(codexProgram ?? '', join(project.bin, 'codex'))
  mkdirSync(join(project.home, '.codex'))
  writeFileSync(join(project.home, '.codex', 'config.toml'), userConfig(api.url))
  project.env['OPENAI_API_KEY'] = 'key-that-is-none'
  Object.assign(project.env, temporaryPlace(join(project.home, 'tmp')))
}

/**
 * With bubblewrap on PATH codex takes that for its sandbox, and puts a helper into its home for it; but not where temporary
 * files go, and that is where the homes of tests are.
 */
function temporaryPlace(path: string): { readonly TMPDIR: string } {
  mkdirSync(path)
  return { TMPDIR: path }
}

export function honest(mode: IterationMode, story: string): readonly Answer[] {
  const path = `work/${story}.txt`
  if (mode === 'review') return [says(shell(`cat ${path}`)), edits('approve')]
  const text = mode === 'implement' ? 'v1' : 'v2'
  return [says(`I build ${story}.`, shell(`mkdir -p work && echo ${text} > ${path}`)), edits('submit')]
}

export function edits(act: 'submit' | 'approve' | 'reject', text = ''): Answer {
  const program = join(import.meta.dirname, '..', 'claude', 'edit-list.mjs')
  return says(shell(`node '${program}' ${act} '${text}' && git add -A && git commit -q -m '${act} it'`))
}

export const shell = (cmd: string): Block => ({ tool: 'exec_command', input: { cmd, yield_time_ms: 30_000 } })

/** What the runner has ordered, by the head of the prompt. */
export function taskOf({ prompt }: Pick<Asked, 'prompt'>): { readonly mode: IterationMode; readonly story: string } {
  const [, mode = '', story = ''] = /^Mode: \*\*([\w-]+)\*\*\. Story: \*\*([\w.-]+)\*\*/m.exec(prompt) ?? []
  if (story === '') throw new Error(`not a prompt of Ralph's: ${prompt.slice(0, 200)}`)
  return { mode: mode as IterationMode, story }
}
