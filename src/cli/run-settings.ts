import { ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { optionsFromJournal } from '../settings/options-from-journal.ts'
import { resolveOptions, type ResolvedOptions } from '../settings/resolve-options.ts'
import { isCutOff, type RunChoice } from './choose-run.ts'
import type { Input } from './command.ts'
import { loadSettings } from './load-settings.ts'
import type { Project } from './project.ts'

export type RunSettings = ResolvedOptions

/**
 * Settings, environment and flags as the options of this run; of one that goes on only the flags given now count. What lies in
 * the project while an agent is unjudged may be that agent's: then no settings are read, and an earlier run is taken as it was.
 */
export function readRunSettings(
  { options: flags, args, env, cwd }: Input,
  { root, ralphDir }: Project,
  choice: RunChoice,
): Result<RunSettings, Failure> {
  const earlier = choice.kind === 'resume' ? choice.run : choice.unjudged
  const isTrusted = earlier === null || !isCutOff(earlier.state)
  const found = isTrusted ? loadSettings(root, { cwd, config: flags['config'] }) : ok({ file: null, local: null })
  if (!found.ok) return found
  return resolveOptions({
    flags,
    args,
    env,
    ralphDir,
    ...found.value,
    ...(earlier === null ? {} : { journalled: optionsFromJournal(earlier.state.options) }),
  })
}
