/** How it stands with one thing on this machine. */
export type FindingState =
  /** There, and nothing is known against it. */
  | 'ok'
  /** Not there, or only inside the project. */
  | 'missing'
  /** There, and older than what works. */
  | 'old'
  /** There, and it does not work. */
  | 'bad'
  /** There, and nobody can tell more: it did not say which version it is, or was not asked. */
  | 'unknown'
  /** There, and a run will not start it as things are. */
  | 'refused'

/** What a look at one thing came to. All of it can be shown. */
export interface Finding {
  readonly name: string
  /** A run needs it; it is an agent; agents can run in it; it is good to have. */
  readonly kind: 'needed' | 'agent' | 'box' | 'useful'
  readonly state: FindingState
  readonly path: string | null
  readonly version: string | null
  /** What is wrong, or what it is good for; null if there is nothing to say. */
  readonly why: string | null
  /** What helps; null if nothing has to be done. */
  readonly fix: string | null
  /** Whether something shows that somebody has logged in; null where nobody can tell. Not seen does not mean not there. */
  readonly login: 'seen' | 'not-seen' | null
}

export interface AgentFinding extends Finding {
  readonly kind: 'agent'
  /** Known only from its documents. */
  readonly experimental: boolean
  /** Whether a run without further words would start it. */
  readonly chosen: boolean
}

export interface BoxFinding extends Finding {
  readonly kind: 'box'
  /** Whether a run without further words would use it. */
  readonly chosen: boolean
}
