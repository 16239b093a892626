import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ok } from '../../src/base/result.ts'
import type { Ask } from '../../src/cli/command.ts'
import { commands } from '../../src/cli/commands.ts'
import { dispatch } from '../../src/cli/dispatch.ts'
import { describeFailure, exitCodeFor } from '../../src/model/describe-failure.ts'
import type { TaskList } from '../../src/model/story.ts'
import { writeTasks } from '../../src/tasks/read-tasks.ts'
import { Lab } from './repositories.ts'

/** What one command line came to, as the shell would see it. */
export interface Called {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** A project whose commands are called in this process, with a state directory of its own. */
export class CommandLab extends Lab {
  readonly extraEnvironment: Record<string, string> = {}

  async ralph(
    words: readonly string[],
    { ask, cwd = this.project }: { ask?: Ask; cwd?: string } = {},
  ): Promise<Called> {
    const out: string[] = []
    const err: string[] = []
    const output = { line: (text: string) => void out.push(text), remark: (text: string) => void err.push(text) }
    const env = { ...this.environment, RALPH_STATE_DIR: join(this.root, 'state'), ...this.extraEnvironment }
    const surroundings = { output, env, cwd: () => ok(cwd), ...(ask === undefined ? {} : { ask }) }
    const result = await dispatch(words, commands, surroundings)
    if (!result.ok) {
      const { what, fix } = describeFailure(result.error)
      err.push(what, fix)
    }
    const code = result.ok ? result.value : exitCodeFor(result.error)
    return { code, out: out.join('\n'), err: err.join('\n') }
  }

  read(path: string): string {
    return readFileSync(join(this.project, path), 'utf8')
  }

  has(path: string): boolean {
    return existsSync(join(this.project, path))
  }

  tasks(): TaskList {
    return JSON.parse(this.read('ralph/tasks.json')) as TaskList
  }

  writeTasks(list: TaskList): void {
    this.write('ralph/tasks.json', writeTasks(list))
  }

  /** The files of the last commit. */
  lastCommit(): { readonly subject: string; readonly author: string; readonly files: readonly string[] } {
    const [subject = '', author = '', ...rest] = this.git('log', '-1', '--format=%s%n%an <%ae>', '--name-only').split(
      '\n',
    )
    return { subject, author, files: rest.filter((line) => line !== '').toSorted() }
  }
}
