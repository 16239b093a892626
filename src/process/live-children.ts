/** What a second Ctrl+C must be able to end without asking anybody. */
export interface LiveChild {
  /** KILL to all of it, now. */
  killNow(): Promise<void>
}

/** All children of this process that have not ended: kept here, so that no caller can forget to register one. */
const live = new Set<LiveChild>()

/** Returns how to take it off again. */
export function rememberLive(child: LiveChild): () => void {
  live.add(child)
  return () => live.delete(child)
}

export async function killAllChildren(): Promise<void> {
  await Promise.all([...live].map((child) => child.killNow()))
}
