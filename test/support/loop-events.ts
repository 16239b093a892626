import type { Recorded } from '../../src/model/event.ts'
import type { StopReason } from '../../src/model/stop-reason.ts'

type Kind = Recorded['kind']

/** All events of one kind. */
export function eventsOf<K extends Kind>(events: readonly Recorded[], kind: K): Extract<Recorded, { kind: K }>[] {
  return events.filter((event): event is Extract<Recorded, { kind: K }> => event.kind === kind)
}

/** Every agent start as `implement US-001`, in order. */
export function starts(events: readonly Recorded[]): string[] {
  return eventsOf(events, 'iteration.started').map(({ mode, story }) => `${mode} ${story}`)
}

/** Every move that was accepted or made, as `US-001 approved by agent`. */
export function moves(events: readonly Recorded[]): string[] {
  return eventsOf(events, 'stories.moved').flatMap((event) =>
    event.moves.map(({ story, to, by }) => `${story} ${to} by ${by}`),
  )
}

/** How the run ended, as its journal has it. */
export function stopOf(events: readonly Recorded[]): { reason: StopReason; exitCode: number } | null {
  const last = events.at(-1)
  return last?.kind === 'run.stopped' ? { reason: last.reason, exitCode: last.exitCode } : null
}
