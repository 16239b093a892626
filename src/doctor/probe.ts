import type { SearchPlaces } from '../process/find-program.ts'
import type { Finding } from './finding.ts'

/** Where a probe looks. */
export interface Place {
  readonly places: SearchPlaces
  /** The user's; what is started gets nothing of it but what `askVersion` passes on. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** Of this process. */
  readonly node: { readonly path: string; readonly version: string }
  /** How long a program may take to say its version. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** One look at this machine. It changes nothing and cannot fail: what goes wrong is what it found. */
export type Probe = (place: Place) => Promise<Finding>
