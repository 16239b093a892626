import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import type { Flags } from './overrides-from-flags.ts'
import type { Settings } from './settings-schema.ts'

/** What the parser takes and no workflow does yet, by its key: said, never ignored. This file shrinks as they are built. */
export const unbuiltOptions: Readonly<Record<string, string>> = {
  prompt: '--prompt',
  promptFile: '--prompt-file',
  spec: '--spec',
  doneFile: '--done-file',
  worktree: '--worktree',
  worktreeName: '--worktree-name',
  push: '--push',
  pr: '--pr',
}

/** Where a task may come from. Two of them are two tasks, but for a title with its specification. */
function ensureOneTask(flags: Flags, args: readonly string[]): Result<void, Failure> {
  const given = [
    ...(args.length > 0 ? ['the task on the command line'] : []),
    ...(flags['prompt'] === undefined ? [] : ['--prompt']),
    ...(flags['promptFile'] === undefined ? [] : ['--prompt-file']),
    ...(flags['spec'] === undefined ? [] : ['--spec']),
  ]
  const isTitled = given.length === 2 && args.length > 0 && flags['spec'] !== undefined
  if (given.length < 2 || isTitled) return ok(undefined)
  return err({
    reason: 'usage',
    message: `${given.join(' and ')} each give a task.`,
    fix: 'Keep one of them; only a task with --spec goes together.',
  })
}

export function refuseUnbuiltFlags(flags: Flags, args: readonly string[]): Result<void, Failure> {
  const one = ensureOneTask(flags, args)
  if (!one.ok) return one
  if (args.length > 0) return err({ reason: 'not-built-yet', command: 'ralph run TASK' })
  const option = Object.keys(unbuiltOptions).find((key) => flags[key] !== undefined && flags[key] !== false)
  return option === undefined
    ? ok(undefined)
    : err({ reason: 'not-built-yet', command: `ralph run ${unbuiltOptions[option] ?? ''}` })
}

/** Settings that are valid and change nothing yet, as a person would name them. */
export function unusedSettings({ scm, git, notify }: Settings): readonly string[] {
  return [
    ...(scm === undefined ? [] : ['scm']),
    ...(git === undefined ? [] : ['git']),
    ...(notify === undefined ? [] : ['notify']),
  ]
}
