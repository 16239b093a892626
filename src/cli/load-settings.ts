import { realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import type { SettingsFile } from '../settings/read-settings.ts'
import { errnoOf } from '../store/attempt.ts'
import { readSmall } from '../store/read-small.ts'
import type { OptionValue } from './command.ts'

export interface FoundSettings {
  readonly file: SettingsFile | null
  /** Beside it: `settings.local.json` to `settings.json`. */
  readonly local: SettingsFile | null
}

const usual = '.ralph/settings.json'

/** The settings of a project, or those that `--config` names from where the user stands. Read, not understood yet. */
export function loadSettings(
  root: string,
  { cwd, config }: { readonly cwd: string; readonly config?: OptionValue | undefined },
): Result<FoundSettings, Failure> {
  const isNamed = typeof config === 'string'
  const place = placeOf(root, isNamed ? resolve(cwd, config) : `${root}/${usual}`)
  const name = isNamed ? config : usual
  const file = read(place.root, place.path, name)
  if (!file.ok) return file
  if (file.value === null && isNamed) {
    return err({ reason: 'missing-file', path: name, fix: 'Give --config a file that exists, or leave it out.' })
  }
  const local = read(place.root, localOf(place.path), localOf(name))
  return local.ok ? ok({ file: file.value, local: local.value }) : local
}

const localOf = (path: string): string => path.replace(/(?:\.json)?$/, '.local.json')

/** In the project no link is followed on the way; elsewhere the directories are the user's own. */
function placeOf(root: string, path: string): { readonly root: string; readonly path: string } {
  const way = relative(root, path)
  if (!isAbsolute(way) && way.split(sep)[0] !== '..') return { root, path: way.split(sep).join('/') }
  return { root: realOr(dirname(path)), path: basename(path) }
}

function realOr(path: string): string {
  try {
    return realpathSync.native(path)
  } catch (error) {
    errnoOf(error)
    return path
  }
}

function read(root: string, path: string, name: string): Result<SettingsFile | null, Failure> {
  const seen = readSmall(root, path, 1024 * 1024)
  if (seen.kind === 'missing') return ok(null)
  return seen.kind === 'text'
    ? ok({ path: name, text: seen.text })
    : err({ reason: 'unsafe-file', path: name, why: seen.why })
}
