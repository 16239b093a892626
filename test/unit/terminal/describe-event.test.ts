import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Event } from '../../../src/model/event.ts'
import { describeEvent } from '../../../src/terminal/describe-event.ts'
import { anyEvent } from '../../support/any-event.ts'
import { iterationEvents, runEvents, runStopped } from '../../support/events.ts'
import { seeded } from '../../support/hostile-text.ts'

const [started, agentFinished, , , , , , finished] = iterationEvents(3, 'US-002') as [
  Event,
  Extract<Event, { kind: 'agent.finished' }>,
  Event,
  Event,
  Event,
  Event,
  Event,
  Extract<Event, { kind: 'iteration.finished' }>,
]

const head = 'd'.repeat(40)
const tree = 'e'.repeat(40)

describe('an event in words', () => {
  it('of an ordinary run reads like a story', () => {
    expect(runEvents(1).map((event) => describeEvent(event))).toEqual([
      'Run 20261101-120000-00c0ffee started (stories, ralph 0.1.0)',
      'Iteration 1: implement US-1 with claude',
      'The agent finished (1 min 1 s, $0.25, 30.4k tokens in (30k cached), 2k out)',
      'Check passed: npm test (4.3 s)',
      'Check failed: npm run lint (exit 1, 99 ms), see checks/2.log',
      'Referee: caught frozen-field: US-1: title may not change',
      'Runner: ralph/tasks.json (commit cccccccc)',
      'US-1 needs review',
      'Iteration 1 finished: 1 commit',
      'Interrupted: the same run can go on where it was. (interrupted; 1 iteration, 1 ms, exit 130)',
    ])
  })

  it.each<[string, Event, string | null]>([
    ['a resume', { kind: 'run.resumed', flags: {} }, 'Run resumed'],
    [
      'a resume with flags',
      { kind: 'run.resumed', flags: { maxIterations: 3, maxCostUsd: 1 } },
      'Run resumed with other maxIterations, maxCostUsd',
    ],
    [
      'a stop with its reasons',
      { ...runStopped, details: ['A is blocked: a key', 'B depends on A'] } as Event,
      'Interrupted: the same run can go on where it was. (interrupted; 1 iteration, 1 ms, exit 130): A is blocked: a key; B depends on A',
    ],
    ['a model', { ...started, model: 'opus' } as Event, 'Iteration 3: implement US-002 with claude (opus)'],
    ['an iteration without a story', { ...started, mode: null, story: null } as Event, 'Iteration 3: with claude'],
    [
      'an agent that failed',
      { ...agentFinished, outcome: 'failed', exitCode: 1, costUsd: null, tokens: null, message: 'API Error' },
      'The agent failed (1 min 1 s, exit 1): API Error',
    ],
    [
      'an agent that was killed',
      { ...agentFinished, outcome: 'timeout', exitCode: null, signal: 'SIGTERM', tokens: null },
      'The agent ran out of time (1 min 1 s, SIGTERM, $0.25); --iteration-timeout or --max-time give it more',
    ],
    [
      'a check that did not end and decides nothing',
      {
        kind: 'check.finished',
        iteration: 1,
        command: 'make',
        exitCode: null,
        durationMs: 600_000,
        log: 'l',
        decides: false,
        cannotStart: false,
      },
      'Check failed: make (did not end, 10 min, decides nothing yet), see l',
    ],
    [
      'a clean verdict',
      { kind: 'verdict.given', iteration: 1, ok: true, violations: [], unfinished: [], head, tree },
      'Referee: nothing illegal',
    ],
    [
      'something unfinished',
      {
        kind: 'verdict.given',
        iteration: 1,
        ok: true,
        violations: [],
        unfinished: [{ what: 'no-verdict', story: 'US-1', message: 'US-1 has no verdict' }],
        head,
        tree,
      },
      'Referee: unfinished: US-1 has no verdict',
    ],
    ['a repair of nothing', { kind: 'state.repaired', iteration: 1, what: [], commit: null, tree }, null],
    [
      'a commit of the files of the loop',
      { kind: 'state.repaired', iteration: 1, what: [], commit: 'abcdef0123456789', tree },
      'Runner: committed the files of the loop (commit abcdef01)',
    ],
    [
      'the last checks',
      { kind: 'completion.started', iteration: 1, commit: 'abcdef0123456789', tree },
      'Everything is approved: all checks once more, on commit abcdef01',
    ],
    ['no move', { kind: 'stories.moved', iteration: 1, moves: [], artefacts: [], violations: [] }, null],
    [
      'moves and what the checks did',
      {
        kind: 'stories.moved',
        iteration: 1,
        moves: [
          { story: 'US-1', to: 'approved', by: 'agent' },
          { story: 'US-2', to: 'approved_at_cap', by: 'runner' },
        ],
        artefacts: [],
        violations: [{ rule: 'marker', story: null, message: 'gone' }],
      },
      'US-1 approved; US-2 approved at the cap (by the runner); the checks changed: marker: gone',
    ],
    [
      'a wait',
      { kind: 'wait.started', reason: 'usage-limit', until: '2026-11-01T02:27:00.000Z' },
      'Waiting for the usage limit to reset, until 02:27 UTC',
    ],
    [
      'a wait until who knows when',
      { kind: 'wait.started', reason: 'overloaded', until: 'soon' },
      'Waiting for the overloaded service',
    ],
    ['a wait for who knows what', { kind: 'wait.started', reason: 'rain', until: null }, 'Waiting for rain'],
    [
      'the end of a wait',
      { kind: 'wait.ended', reason: 'overloaded', until: null },
      'Waited for the overloaded service, going on',
    ],
    ['an idle iteration', { ...finished, changed: false, commits: [] }, 'Iteration 3 finished: nothing changed'],
    ['a change of the list only', { ...finished, commits: [] }, 'Iteration 3 finished: changed'],
    [
      'a start that came to nothing',
      { ...finished, changed: false, commits: [], counted: false, error: 'empty answer' },
      'Iteration 3 finished: nothing changed, not counted; error: empty answer',
    ],
  ])('says %s', (_, event, words) => {
    expect(describeEvent(event)).toBe(words)
  })

  it('names a few of many violations and counts the rest', () => {
    const violations = Array.from({ length: 9 }, (_, n) => ({ rule: 'schema' as const, story: null, message: `m${n}` }))
    const verdict = { kind: 'verdict.given', iteration: 1, ok: false, violations, unfinished: [], head, tree } as const
    expect(describeEvent(verdict)).toBe('Referee: caught schema: m0; schema: m1; schema: m2; and 6 more')
    expect(describeEvent({ ...verdict, moreViolations: 20 })).toMatch(/; and 26 more$/)
    expect(describeEvent({ ...verdict, violations: [], branches: ['main was deleted'] })).toBe(
      'Referee: other branches: main was deleted',
    )
    const moved = {
      kind: 'stories.moved',
      iteration: 1,
      moves: [],
      artefacts: [],
      violations,
      moreViolations: 9,
    } as const
    expect(describeEvent(moved)).toMatch(/; and 15 more$/)
  })

  it('is one line without anything that moves a cursor, whatever the event carries', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        const words = describeEvent(event) ?? ''
        expect(words).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
        expect(words.length).toBeLessThanOrEqual(500)
      }),
      seeded(500),
    )
  })
})
