/** Patterns of the runner's own files in the project: an exact path, or a prefix when it ends in `*`. */
export type OwnFiles = readonly string[]

export function isOwnFile(own: OwnFiles, path: string): boolean {
  return own.some((pattern) => (pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern))
}

/** The output of a failed check, as the runner names it. */
const guardrailLog = /^\.ralph\/guardrail_\d+_\w+\.log$/

/** Whether it has such a name and is nothing that the runner makes: whoever made it hides it from every commit. */
export function isPosing(own: OwnFiles, path: string): boolean {
  return isOwnFile(own, path) && !own.includes(path) && !guardrailLog.test(path)
}
