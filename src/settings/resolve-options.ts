import { err, ok, type Result } from '../base/result.ts'
import { visibleLine } from '../base/visible.ts'
import type { Failure } from '../model/failure.ts'
import { commandOf } from './choose-agent.ts'
import { mergeSettings } from './merge-settings.ts'
import { refuseUnbuiltFlags, unusedSettings } from './not-built.ts'
import { optionsFromSettings } from './options-from-settings.ts'
import { overridesFromEnvironment } from './overrides-from-environment.ts'
import { overridesFromFlags, type Flags } from './overrides-from-flags.ts'
import { applyOverrides } from './overrides.ts'
import { readSettings, type SettingsFile } from './read-settings.ts'
import type { RunOptions, ShowOptions } from './run-options.ts'
import { showOptions } from './show-options.ts'

/** Everything that has a say, and nothing that was merged yet. */
export interface OptionSources {
  readonly flags: Flags
  /** Positional arguments: the task, if one was given. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly local: SettingsFile | null
  readonly file: SettingsFile | null
  /** Relative to the project, with `/`, and known to lie in it. */
  readonly ralphDir: string
  /** The options of the run that goes on; then only the flags given now change something. */
  readonly journalled?: RunOptions
}

export interface ResolvedOptions {
  readonly options: RunOptions
  /** What was said about it; the rest depends on the terminal. */
  readonly show: Partial<ShowOptions>
  /** The options that flags have set now, for `run.resumed`. */
  readonly given: Partial<RunOptions>
  /** For people: settings that change nothing in this version. */
  readonly remarks: readonly string[]
}

/** Flag over environment over local file over file over default. */
export function resolveOptions(sources: OptionSources): Result<ResolvedOptions, Failure> {
  const { flags, args, env, ralphDir, journalled } = sources
  const built = refuseUnbuiltFlags(flags, args)
  if (!built.ok) return built
  const fromFlags = overridesFromFlags(flags)
  if (!fromFlags.ok) return fromFlags
  const fromEnvironment = overridesFromEnvironment(env)
  if (!fromEnvironment.ok) return fromEnvironment
  const file = readSettings(sources.file)
  if (!file.ok) return file
  const local = readSettings(sources.local)
  if (!local.ok) return local
  const settings = mergeSettings(file.value, local.value)
  const show = showOptions(flags, env, settings)
  if (!show.ok) return show

  const command = commandOf(settings.agent)
  const fromFiles = optionsFromSettings(settings)
  const base = journalled ?? { ...fromFiles, ...applyOverrides(fromFiles, fromEnvironment.value, command) }
  const given: Partial<RunOptions> = {
    ...applyOverrides(base, fromFlags.value, command),
    ...(flags['ralphDir'] === undefined ? {} : { ralphDir }),
  }
  const options = { ...base, ...(journalled === undefined ? { ralphDir } : {}), ...given }
  const possible = refuseCustomWithoutProgram(options)
  if (!possible.ok) return possible
  return ok({ options, show: show.value, given, remarks: unusedSettings(settings).map(notUsed) })
}

const notUsed = (name: string): string => `The setting "${name}" is not used yet in this version.`

function refuseCustomWithoutProgram({ agents }: RunOptions): Result<void, Failure> {
  for (const { name, command } of Object.values(agents)) {
    if (name !== 'custom') continue
    const fix = 'Set it in .ralph/settings.json: {"agent": {"command": "/path/to/program"}}'
    const [program] = command ?? []
    if (program === undefined) {
      return err({ reason: 'usage', message: 'The agent "custom" needs a program: agent.command is not set.', fix })
    }
    if (!program.startsWith('/') && /[\s/]/.test(program)) {
      return err({
        reason: 'usage',
        message: `agent.command "${visibleLine(program, 80)}" is neither a name on PATH nor an absolute path.`,
        fix: `${fix}; arguments go into a list: ["node", "/path/to/agent.mjs"]`,
      })
    }
  }
  return ok(undefined)
}
