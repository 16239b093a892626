/** Patterns of the runner's own files in the project: an exact path, or a prefix when it ends in `*`. */
export type OwnFiles = readonly string[]

export function isOwnFile(own: OwnFiles, path: string): boolean {
  return own.some((pattern) => (pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern))
}
