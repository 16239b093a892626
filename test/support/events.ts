import type { Event, Recorded } from '../../src/model/event.ts'

const noTokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

export const runStarted: Event = {
  kind: 'run.started',
  bases: {},
  artefacts: [],
  runId: '20261101-120000-00c0ffee',
  workflow: 'stories',
  project: '/project',
  version: '0.1.0',
  options: { maxIterations: 15 },
}

/** The eight events of an ordinary iteration. */
export function iterationEvents(iteration: number, story = `US-${iteration % 50}`): Event[] {
  return [
    {
      kind: 'iteration.started',
      iteration,
      mode: 'implement',
      story,
      agent: 'claude',
      model: null,
      sessionId: '00000000-0000-4000-8000-000000000000',
      base: 'a'.repeat(40),
      branch: 'ralph/feature',
      tree: 'b'.repeat(40),
    },
    {
      kind: 'agent.finished',
      iteration,
      outcome: 'succeeded',
      exitCode: 0,
      signal: null,
      durationMs: 61_234,
      costUsd: 0.25,
      tokens: { input: 10, output: 2000, cacheRead: 30_000, cacheWrite: 400 },
      message: null,
      promised: false,
      retryAt: null,
    },
    {
      kind: 'check.finished',
      iteration,
      command: 'npm test',
      exitCode: 0,
      durationMs: 4321,
      log: 'checks/1.log',
      decides: true,
      cannotStart: false,
    },
    {
      kind: 'check.finished',
      iteration,
      command: 'npm run lint',
      exitCode: 1,
      durationMs: 99,
      log: 'checks/2.log',
      decides: true,
      cannotStart: false,
    },
    {
      kind: 'verdict.given',
      iteration,
      ok: false,
      violations: [{ rule: 'frozen-field', story, message: `${story}: title may not change` }],
      unfinished: [],
      head: 'e'.repeat(40),
      tree: 'f'.repeat(40),
    },
    { kind: 'state.repaired', iteration, what: ['ralph/tasks.json'], commit: 'c'.repeat(40), tree: 'b'.repeat(40) },
    {
      kind: 'stories.moved',
      iteration,
      moves: [{ story, to: 'needs_review', by: 'agent' }],
      artefacts: [],
      violations: [],
    },
    { kind: 'iteration.finished', iteration, changed: true, commits: ['d'.repeat(40)], error: null, counted: true },
  ]
}

export const runStopped: Event = {
  kind: 'run.stopped',
  reason: 'interrupted',
  exitCode: 130,
  totals: { iterations: 1, costUsd: null, tokens: noTokens, durationMs: 1 },
}

/** A whole journal of some iterations. */
export function runEvents(iterations: number): Event[] {
  return [
    runStarted,
    ...Array.from({ length: iterations }, (_, index) => iterationEvents(index + 1)).flat(),
    runStopped,
  ]
}

export function recorded(events: readonly Event[]): Recorded[] {
  return events.map((event, index) => ({ ...event, seq: index + 1, at: new Date(index * 1000).toISOString() }))
}

/** The record that a writer in a test puts at this place: the same every time, so that any process can say what is lost. */
export function eventAt(seq: number): Event {
  const event = seq === 1 ? runStarted : iterationEvents(Math.floor((seq - 2) / 8) + 1)[(seq - 2) % 8]
  if (event === undefined) throw new Error(`no event ${seq}`)
  return event
}
