import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Event } from '../../../src/model/event.ts'
import { eventLines } from '../../../src/terminal/event-lines.ts'
import { layOut } from '../../../src/terminal/lay-out.ts'
import { fineSymbols, plainSymbols } from '../../../src/terminal/symbols.ts'
import { iterationEvents, runStarted, runStopped } from '../../support/events.ts'
import { stateAfter, story, viewOf } from '../../support/shown-run.ts'

beforeAll(() => {
  vi.stubEnv('TZ', 'UTC')
})

const view = viewOf(
  story('US-001', { title: 'Log in', state: 'done', reviewCount: 1 }),
  story('US-002', {
    title: 'Log out',
    state: 'changes_requested',
    reviewCount: 2,
    feedback: 'No test\nfor the button',
  }),
)
const iteration = iterationEvents(3, 'US-002')
const [started, agentFinished] = iteration as [Event, Extract<Event, { kind: 'agent.finished' }>]

const head = 'd'.repeat(40)
const tree = 'e'.repeat(40)

const moved = (
  to: 'needs_review' | 'changes_requested' | 'approved' | 'approved_at_cap' | 'passed_unreviewed' | 'reopened',
  story = 'US-001',
): Event => ({
  kind: 'stories.moved',
  iteration: 3,
  moves: [{ story, to, by: 'agent' }],
  artefacts: [],
  violations: [],
})

/** Each line with its level where that is not the ordinary one. */
function look(event: Event, before: readonly Event[] = [], symbols = fineSymbols): string[] {
  return eventLines(event, { state: stateAfter(...before, event), view, symbols, tools: null }).flatMap((line) =>
    layOut(line, 100, { symbols, color: false }).map((text) =>
      line.level === 'normal' ? text : `${line.level}:${text}`,
    ),
  )
}

describe('a person reads', () => {
  it.each<[string, Event, string[], (readonly Event[])?]>([
    ['that a run started', runStarted, ['Run 20261101-120000-00c0ffee']],
    [
      'that it was resumed',
      { kind: 'run.resumed', flags: {} },
      ['Resumed run 20261101-120000-00c0ffee after 3 iterations'],
      iteration,
    ],
    ['that an iteration started', started, ['── Iteration 3 of 15 · implement · US-002 Log out ──']],
    [
      'that it is another try',
      started,
      ['── Iteration 3 of 15 · try 2 · implement · US-002 Log out ──'],
      [started, { kind: 'iteration.finished', iteration: 3, changed: false, commits: [], error: null, counted: false }],
    ],
    [
      'that an agent finished',
      agentFinished,
      ['  ✓ claude finished (1 min 1 s, $0.25, 30.4k tokens in (30k cached), 2k out)'],
      [started],
    ],
    [
      'that it claims to be done, if that is wanted',
      { ...agentFinished, tokens: null, promised: true },
      ['  ✓ claude finished (1 min 1 s, $0.25)', 'verbose:  it says that everything is done; that is verified'],
      [started],
    ],
    [
      'that an agent failed',
      { ...agentFinished, outcome: 'failed', exitCode: 1, costUsd: null, tokens: null, message: 'API Error' },
      ['  ✗ claude failed (1 min 1 s, exit 1): API Error'],
      [started],
    ],
    ['that a check passed', iteration[2] as Event, ['  ✓ npm test 4.3 s']],
    ['that a check failed', iteration[3] as Event, ['  ✗ npm run lint (exit 1, 99 ms), see checks/2.log']],
    [
      'what was caught, also when quiet',
      iteration[4] as Event,
      ['quiet:  ✗ caught: frozen-field US-002: title may not change'],
    ],
    [
      'what is unfinished, if that is wanted',
      {
        kind: 'verdict.given',
        iteration: 3,
        ok: true,
        violations: [],
        unfinished: [{ what: 'no-notes', story: null, message: 'no notes' }],
        head,
        tree,
      },
      ['verbose:  ! unfinished: no notes'],
    ],
    [
      'that nothing was illegal, if that is wanted',
      { kind: 'verdict.given', iteration: 3, ok: true, violations: [], unfinished: [], head, tree },
      ['verbose:  referee: nothing illegal'],
    ],
    [
      'what was put back',
      { kind: 'state.repaired', iteration: 3, what: ['put back ralph/tasks.json'], commit: 'c'.repeat(40), tree },
      ['  put back ralph/tasks.json (commit cccccccc)'],
    ],
    ['nothing of a repair of nothing', { kind: 'state.repaired', iteration: 3, what: [], commit: null, tree }, []],
    [
      'that the last checks begin',
      { kind: 'completion.started', iteration: 3, commit: 'abcdef0123456789', tree },
      ['Everything is approved. All checks once more, on commit abcdef01:'],
    ],
    ['that a story needs review', moved('needs_review'), ['  US-001 → needs review']],
    ['that a story is approved', moved('approved'), ['  US-001 ✓ approved (review 1)']],
    ['that it was at the cap', moved('approved_at_cap'), ['  US-001 ✓ approved at the cap (review 1)']],
    ['that nobody reviewed it', moved('passed_unreviewed'), ['  US-001 ✓ done, not reviewed']],
    ['that it is open again', moved('reopened'), ['  US-001 → open again, its checks failed']],
    ['a move of a story that is not in the list', moved('approved', 'US-9'), ['  US-9 ✓ approved']],
    [
      'what the reviewer wants',
      moved('changes_requested', 'US-002'),
      ['  US-002 → changes requested (review 2)', '    feedback: No test / for the button'],
    ],
    [
      'what the checks changed, also when quiet',
      { ...moved('approved'), moves: [], violations: [{ rule: 'marker', story: null, message: 'gone' }] } as Event,
      ['quiet:  ✗ caught: marker gone'],
    ],
    [
      'that it waits, and until when',
      { kind: 'wait.started', reason: 'usage-limit', until: '2026-11-01T02:27:00.000Z' },
      ['  ! waiting for the usage limit to reset, until 02:27'],
    ],
    ['that it goes on', { kind: 'wait.ended', reason: 'usage-limit', until: null }, ['  going on']],
    ['how many commits there are', iteration[7] as Event, ['  1 commit']],
    ['that nothing changed', { ...iteration[7], changed: false, commits: [] } as Event, ['  ! nothing changed']],
    ['nothing of a change of the list alone', { ...iteration[7], commits: [] } as Event, []],
    [
      'why it was an error and that it is not counted',
      { ...iteration[7], error: 'empty answer', counted: false } as Event,
      ['  ✗ iteration 3: empty answer', '  ! this start is not counted as an iteration'],
    ],
    [
      'that the run stopped, also when quiet',
      {
        ...runStopped,
        totals: {
          iterations: 15,
          costUsd: 3.2,
          tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
          durationMs: 4_320_000,
        },
      } as Event,
      ['quiet:── Stopped after 15 iterations · 1 h 12 min · $3.20 ──'],
    ],
  ])('%s', (_, event, lines, before) => {
    expect(look(event, before)).toEqual(lines)
  })

  it('the first of very many violations, and how many there are', () => {
    const violations = Array.from({ length: 5000 }, (_, n) => ({
      rule: 'schema' as const,
      story: null,
      message: `m${n}`,
    }))
    const verdict = { kind: 'verdict.given', iteration: 3, ok: false, violations, unfinished: [], head, tree } as const
    const lines = look(verdict)
    expect(lines).toHaveLength(21)
    expect(lines.at(-1)).toBe('quiet:  ✗ caught: 4980 more')
    expect(look({ ...verdict, violations: [], branches: ['main was deleted'] })).toContain(
      'quiet:  ! branch main was deleted',
    )
    expect(look({ ...verdict, moreViolations: 7 }).at(-1)).toBe('quiet:  ✗ caught: 4987 more')
  })

  it('ASCII, if that is wanted', () => {
    expect(look(started, [], plainSymbols)).toEqual(['-- Iteration 3 of 15 - implement - US-002 Log out --'])
    expect(look(moved('approved'), [], plainSymbols)).toEqual(['  US-001 [ok] approved (review 1)'])
    expect(look(moved('needs_review'), [], plainSymbols)).toEqual(['  US-001 -> needs review'])
  })
})
