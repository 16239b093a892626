import type { Marker } from '../../tasks/marker.ts'

/** What a marker that names no session is told by; each is asked only when it is needed. */
export interface Session {
  readonly id: string
  /** `RALPH_RUN_ID` of its environment. */
  readonly runId: string | undefined
  readonly isRunAlive: () => boolean
  /** A marker in a commit came with a clone: nobody runs here. */
  readonly isTracked: () => boolean
}

/** Whether the session that ends its turn is the one that the marker speaks of. */
export function isOurs(marker: Partial<Marker>, session: Session): boolean {
  if (marker.sessionId !== undefined) return marker.sessionId === session.id
  if (marker.runId !== undefined && marker.runId !== session.runId && !session.isRunAlive()) return false
  return !session.isTracked()
}
