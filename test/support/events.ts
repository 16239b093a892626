import fc from 'fast-check'
import type { Event, Recorded } from '../../src/model/event.ts'

const noTokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

export const runStarted: Event = {
  kind: 'run.started',
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
    },
    { kind: 'check.finished', iteration, command: 'npm test', exitCode: 0, durationMs: 4321, log: 'checks/1.log' },
    { kind: 'check.finished', iteration, command: 'npm run lint', exitCode: 1, durationMs: 99, log: 'checks/2.log' },
    {
      kind: 'verdict.given',
      iteration,
      ok: false,
      violations: [{ rule: 'frozen-field', story, message: `${story}: title may not change` }],
      unfinished: [],
    },
    { kind: 'state.repaired', iteration, what: ['ralph/tasks.json'], commit: 'c'.repeat(40) },
    { kind: 'story.moved', iteration, story, to: 'needs_review', by: 'agent' },
    { kind: 'iteration.finished', iteration, changed: true, commits: ['d'.repeat(40)], error: null },
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

/** Text as hostile as an agent can make it, keys of every object among it. */
export const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('__proto__', 'constructor', 'toString', '', '\u2028', '\0', '\ud800', '\n', '"crc":"00000000"}'),
)

const figure = fc.oneof(
  fc.nat(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
)

/** Any event that may follow `run.started`. */
export const anyEvent: fc.Arbitrary<Event> = fc.oneof(
  fc.record({ kind: fc.constant('run.resumed' as const), flags: fc.constantFrom({}, { maxIterations: 3 }) }),
  fc.nat(9).map((iteration) => iterationEvents(iteration)[0] as Event),
  fc.record({
    kind: fc.constant('agent.finished' as const),
    iteration: fc.nat(9),
    outcome: fc.constantFrom('succeeded' as const, 'timeout' as const, 'usage-limit' as const),
    exitCode: fc.option(fc.nat(255)),
    signal: fc.option(fc.constant('SIGKILL')),
    durationMs: figure,
    costUsd: fc.option(figure),
    tokens: fc.option(fc.record({ input: figure, output: figure, cacheRead: figure, cacheWrite: figure })),
  }),
  fc.record({
    kind: fc.constant('check.finished' as const),
    iteration: fc.nat(9),
    command: anyText,
    exitCode: fc.option(fc.nat(2)),
    durationMs: figure,
    log: anyText,
  }),
  fc.record({
    kind: fc.constant('verdict.given' as const),
    iteration: fc.nat(9),
    ok: fc.boolean(),
    violations: fc.array(
      fc.record({ rule: fc.constant('schema' as const), story: fc.option(anyText), message: anyText }),
      { maxLength: 3 },
    ),
    unfinished: fc.array(
      fc.record({ what: fc.constant('no-notes' as const), story: fc.option(anyText), message: anyText }),
      { maxLength: 3 },
    ),
  }),
  fc.record({
    kind: fc.constant('state.repaired' as const),
    iteration: fc.nat(9),
    what: fc.array(anyText, { maxLength: 3 }),
    commit: fc.option(anyText),
  }),
  fc.record({
    kind: fc.constant('story.moved' as const),
    iteration: fc.nat(9),
    story: anyText,
    to: fc.constantFrom('needs_review' as const, 'approved' as const, 'approved_at_cap' as const),
    by: fc.constantFrom('agent' as const, 'runner' as const, 'person' as const),
  }),
  fc.record({ kind: fc.constant('wait.started' as const), reason: anyText, until: fc.option(anyText) }),
  fc.record({ kind: fc.constant('wait.ended' as const), reason: anyText, until: fc.option(anyText) }),
  fc.record({
    kind: fc.constant('iteration.finished' as const),
    iteration: fc.nat(9),
    changed: fc.boolean(),
    commits: fc.array(anyText, { maxLength: 3 }),
    error: fc.option(anyText),
  }),
  fc.constant(runStopped),
)
