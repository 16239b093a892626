import fc from 'fast-check'
import type { Event } from '../../src/model/event.ts'
import { iterationEvents, runStopped } from './events.ts'

/** Text as hostile as an agent can make it, keys of every object among it. */
const anyText = fc.oneof(
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
    message: fc.option(anyText),
    promised: fc.boolean(),
    retryAt: fc.option(anyText),
  }),
  fc.record({
    kind: fc.constant('check.finished' as const),
    iteration: fc.nat(9),
    command: anyText,
    exitCode: fc.option(fc.nat(2)),
    durationMs: figure,
    log: anyText,
    decides: fc.boolean(),
    cannotStart: fc.boolean(),
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
    head: fc.option(anyText),
    tree: anyText,
  }),
  fc.record({
    kind: fc.constant('state.repaired' as const),
    iteration: fc.nat(9),
    what: fc.array(anyText, { maxLength: 3 }),
    commit: fc.option(anyText),
    tree: anyText,
  }),
  fc.record({
    kind: fc.constant('stories.moved' as const),
    iteration: fc.nat(9),
    moves: fc.array(
      fc.record({
        story: anyText,
        to: fc.constantFrom('needs_review' as const, 'approved' as const, 'approved_at_cap' as const),
        by: fc.constantFrom('agent' as const, 'runner' as const),
      }),
      { maxLength: 3 },
    ),
    artefacts: fc.array(anyText, { maxLength: 3 }),
    violations: fc.array(
      fc.record({ rule: fc.constant('history' as const), story: fc.option(anyText), message: anyText }),
      { maxLength: 3 },
    ),
  }),
  fc.record({ kind: fc.constant('wait.started' as const), reason: anyText, until: fc.option(anyText) }),
  fc.record({
    kind: fc.constant('completion.started' as const),
    iteration: fc.nat(9),
    commit: anyText,
    tree: anyText,
  }),
  fc.record({ kind: fc.constant('wait.ended' as const), reason: anyText, until: fc.option(anyText) }),
  fc.record({
    kind: fc.constant('iteration.finished' as const),
    iteration: fc.nat(9),
    changed: fc.boolean(),
    commits: fc.array(anyText, { maxLength: 3 }),
    error: fc.option(anyText),
    counted: fc.boolean(),
  }),
  fc.constant(runStopped),
)
