import type { Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { optionsFromJournal } from '../settings/options-from-journal.ts'
import { resolveOptions, type ResolvedOptions } from '../settings/resolve-options.ts'
import type { RunChoice } from './choose-run.ts'
import type { Input } from './command.ts'
import { loadSettings } from './load-settings.ts'
import type { Project } from './project.ts'

export type RunSettings = ResolvedOptions

/** Settings, environment and flags as the options of this run; of one that goes on only the flags given now count. */
export function readRunSettings(
  { options: flags, args, env, cwd }: Input,
  { root, ralphDir }: Project,
  choice: RunChoice,
): Result<RunSettings, Failure> {
  const found = loadSettings(root, { cwd, config: flags['config'] })
  if (!found.ok) return found
  return resolveOptions({
    flags,
    args,
    env,
    ralphDir,
    ...found.value,
    ...(choice.kind === 'resume' ? { journalled: optionsFromJournal(choice.run.state.options) } : {}),
  })
}
