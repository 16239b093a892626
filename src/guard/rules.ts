import type { Rule } from './rule.ts'
import { gitConfiguration } from './rules/git-configuration.ts'
import { gitDirectory } from './rules/git-directory.ts'
import { ignoredFiles } from './rules/ignored-files.ts'
import { marker } from './rules/marker.ts'
import { peopleOnlyFile } from './rules/people-only-file.ts'
import { pluginFile } from './rules/plugin-file.ts'
import { runnerState } from './rules/runner-state.ts'
import { steeringFile } from './rules/steering-file.ts'

/** Every rule of the guard; the first one that speaks is the answer. */
export const rules: readonly Rule[] = [
  marker,
  peopleOnlyFile,
  steeringFile,
  pluginFile,
  runnerState,
  gitDirectory,
  gitConfiguration,
  ignoredFiles,
]
