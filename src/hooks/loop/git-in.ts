import { runBriefly } from '../../process/run-briefly.ts'

/** What git prints; null when it does not answer. */
export type AskGit = (args: readonly string[]) => string | null

/** Well below what Claude Code gives any of our hooks that asks. */
export const gitTimeoutMs = 15_000

/** The project's repository and no other: not one above it, nor one that somebody's environment names. */
export function gitIn(loop: string, env: NodeJS.ProcessEnv, timeoutMs = gitTimeoutMs): AskGit {
  const none = undefined
  const own = { GIT_DIR: none, GIT_WORK_TREE: none, GIT_INDEX_FILE: none, GIT_CEILING_DIRECTORIES: `${loop}/..` }
  const always = ['--no-optional-locks', '-c', 'core.fsmonitor=false', '-C', loop]
  return (args) => runBriefly('git', [...always, ...args], { env: { ...env, ...own }, timeoutMs })
}
