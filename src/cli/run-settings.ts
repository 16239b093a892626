import { basename, dirname, resolve } from 'node:path'
import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { optionsFromJournal } from '../settings/options-from-journal.ts'
import type { SettingsFile } from '../settings/read-settings.ts'
import { resolveOptions, type ResolvedOptions } from '../settings/resolve-options.ts'
import { readSmall } from '../store/read-small.ts'
import type { RunChoice } from './choose-run.ts'
import type { Input } from './command.ts'
import type { Project } from './project.ts'

export type RunSettings = ResolvedOptions

/** Settings, environment and flags as the options of this run; of one that goes on only the flags given now count. */
export function readRunSettings(
  { options: flags, args, env, cwd }: Input,
  { root, ralphDir }: Project,
  choice: RunChoice,
): Result<RunSettings, Failure> {
  const config = flags['config']
  const file =
    typeof config === 'string'
      ? readFile(dirname(resolve(cwd, config)), basename(config), { path: config, required: true })
      : readFile(root, '.ralph/settings.json', { path: '.ralph/settings.json', required: false })
  if (!file.ok) return file
  const localPath = '.ralph/settings.local.json'
  const local = readFile(root, localPath, { path: localPath, required: false })
  if (!local.ok) return local
  return resolveOptions({
    flags,
    args,
    env,
    ralphDir,
    file: file.value,
    local: local.value,
    ...(choice.kind === 'resume' ? { journalled: optionsFromJournal(choice.run.state.options) } : {}),
  })
}

function readFile(
  directory: string,
  name: string,
  { path, required }: { readonly path: string; readonly required: boolean },
): Result<SettingsFile | null, Failure> {
  const seen = readSmall(directory, name)
  if (seen.kind === 'text') return ok({ path, text: seen.text })
  if (seen.kind === 'unreadable') return err({ reason: 'unsafe-file', path, why: seen.why })
  return required ? err({ reason: 'missing-file', path, fix: 'Give --config a file that exists.' }) : ok(null)
}
