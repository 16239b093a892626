import type { Event, Recorded } from '../../src/model/event.ts'
import { reduce, type RunState } from '../../src/model/run-state.ts'
import type { Display, DisplayOptions, RunView, StoryView, Summary } from '../../src/terminal/display.ts'
import { runStarted, runStopped } from './events.ts'
import { fakeClock } from './fake-screen.ts'

export const story = (id: string, more: Partial<StoryView> = {}): StoryView => ({
  id,
  title: `Title of ${id}`,
  state: 'open',
  reviewCount: 0,
  feedback: '',
  ...more,
})

export const viewOf = (...stories: StoryView[]): RunView => ({ maxIterations: 15, stories })

export function optionsFor(more: Partial<DisplayOptions> = {}): DisplayOptions {
  return {
    format: 'pretty',
    color: false,
    emoji: true,
    quiet: false,
    verbose: false,
    streamAgentOutput: true,
    clock: fakeClock(),
    ...more,
  }
}

/** The state after these events, with `run.started` before them. */
export function stateAfter(...events: readonly Event[]): RunState {
  let state: RunState | null = null
  for (const event of timed([runStarted, ...events])) state = reduce(state, event)
  if (state === null) throw new Error('no state')
  return state
}

/** Shows events one after the other, each with the state that holds it. */
export function showing(display: Display, view: RunView) {
  let state: RunState | null = null
  let seq = 0
  return (...events: readonly Event[]): void => {
    for (const event of events) {
      const recorded = { ...event, seq: ++seq, at: new Date(Date.UTC(2026, 10, 1, 2, 15, seq)).toISOString() }
      state = reduce(state, recorded)
      display.event(recorded, state, view)
    }
  }
}

function timed(events: readonly Event[]): Recorded[] {
  return events.map((event, index) => ({
    ...event,
    seq: index + 1,
    at: new Date(Date.UTC(2026, 10, 1, 2, 15, index)).toISOString(),
  }))
}

export function summaryOf(more: Partial<Summary> = {}): Summary {
  return {
    state: stateAfter(runStopped),
    view: viewOf(),
    concerns: [],
    details: [],
    commits: 0,
    durationMs: 60_000,
    caught: [],
    surface: [],
    branches: [],
    nextCommand: 'ralph run',
    journal: '/state/journal.ndjson',
    ...more,
  }
}
