/** What a rule guards against. The names are stable: `ralph guard --json` says them. */
export type Category =
  /** Files outside of the project, or the project as a whole. */
  | 'file-destruction'
  | 'disks-and-boot'
  | 'resource-exhaustion'
  | 'exfiltration'
  /** Also other ways to let somebody in from outside. */
  | 'reverse-shell'
  /** Reading what opens other doors. */
  | 'credentials'
  | 'privilege-escalation'
  | 'container-escape'
  /** Code from anywhere that is run, and what is published for others to run. */
  | 'supply-chain'
  /** History, remotes, and work that git has no copy of. */
  | 'git-destruction'
  | 'system-configuration'
  /** Commands that hide what they run. */
  | 'obfuscation'
  /** Variables and PATH that make other programs run something else. */
  | 'environment'
  /** Ending processes that are not the agent's, and the machine. */
  | 'processes'
  /** What starts again by itself. */
  | 'persistence'
  | 'databases'
  | 'cloud'
  /** Writing where the system or the user has configuration and keys. */
  | 'sensitive-paths'
  | 'permissions'
  | 'network-configuration'
  /** The loop itself: its marker, files of people, the plugin, the runner's state. */
  | 'self-tampering'
