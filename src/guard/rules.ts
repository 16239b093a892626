import type { Rule } from './rule.ts'
import { forge } from './rules/git-destruction/forge.ts'
import { gitClean } from './rules/git-destruction/git-clean.ts'
import { gitDiscard } from './rules/git-destruction/git-discard.ts'
import { gitHistory } from './rules/git-destruction/git-history.ts'
import { gitPush } from './rules/git-destruction/git-push.ts'
import { gitRefs } from './rules/git-destruction/git-refs.ts'
import { gitStash } from './rules/git-destruction/git-stash.ts'
import { otherHistory } from './rules/git-destruction/other-history.ts'
import { gitConfiguration } from './rules/self-tampering/git-configuration.ts'
import { gitDirectory } from './rules/self-tampering/git-directory.ts'
import { ignoredFiles } from './rules/self-tampering/ignored-files.ts'
import { marker } from './rules/self-tampering/marker.ts'
import { peopleOnlyFile } from './rules/self-tampering/people-only-file.ts'
import { pluginFile } from './rules/self-tampering/plugin-file.ts'
import { runnerState } from './rules/self-tampering/runner-state.ts'
import { steeringFile } from './rules/self-tampering/steering-file.ts'

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
  forge,
  gitClean,
  gitDiscard,
  gitHistory,
  gitPush,
  gitRefs,
  gitStash,
  otherHistory,
]
