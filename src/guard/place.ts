/** Where a tool is called, as far as the guard must know it. All paths are absolute, and real where they exist. */
export interface Place {
  /** The working directory of the call. */
  readonly cwd: string
  readonly home: string
  /** What `$NAME` stands for in a command. */
  readonly variables: Readonly<Record<string, string | undefined>>
  /** The projects that are guarded: of the loop, and of the session. */
  readonly projects: readonly string[]
  /** Where prd.md and prompt.md are, from the root of a project; empty where no loop runs: there they are anybody's. */
  readonly ralphDirs: readonly string[]
  /** Where Claude Code has the user's own configuration. */
  readonly claudeDirs: readonly string[]
  /** The directories of git that belong to the projects. */
  readonly gitDirs: readonly string[]
  /** Where this plugin is installed; null where it is the project itself that is worked on. */
  readonly plugin: string | null
  /** What the runner and the hooks remember. */
  readonly state: readonly string[]
  readonly disk: Disk
}

/** What the guard asks of the disk; answered by whoever calls it. */
export interface Disk {
  /** What a write to this path would write to: links followed as far as the path exists, a hard link by its guarded name. */
  readonly real: (path: string) => string
  readonly exists: (path: string) => boolean
  readonly isDirectory: (path: string) => boolean
}
