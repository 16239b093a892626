import fc from 'fast-check'
import type { Event } from '../../src/model/event.ts'
import type { Notice } from '../../src/model/notice.ts'
import type { Display, StoryView } from '../../src/terminal/display.ts'
import { iterationEvents, runStarted, runStopped } from './events.ts'
import { hostileText } from './hostile-text.ts'
import { showing, stateAfter, summaryOf, viewOf } from './shown-run.ts'

/** Fields with a closed set of values: nobody can write into them. */
const closed = new Set(['kind', 'outcome', 'mode', 'to', 'by', 'workflow', 'state'])

/** The same value with every free text in it replaced. */
function poisoned<T>(value: T, next: () => string, key = ''): T {
  if (typeof value === 'string') return (closed.has(key) ? value : next()) as T
  if (Array.isArray(value)) return value.map((item) => poisoned(item as unknown, next)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, poisoned(item as unknown, next, name)]),
  ) as T
}

const [started, finished, ...others] = iterationEvents(1) as [Event, Extract<Event, { kind: 'agent.finished' }>]

const events: readonly Event[] = [
  started,
  { ...finished, outcome: 'failed', exitCode: 1, signal: 'x', message: 'x', promised: true, retryAt: 'x' },
  ...others,
  {
    kind: 'verdict.given',
    iteration: 1,
    ok: false,
    violations: [],
    unfinished: [{ what: 'no-notes', story: 'x', message: 'x' }],
    head: null,
    tree: 'x',
  },
  {
    kind: 'stories.moved',
    iteration: 1,
    moves: (
      ['needs_review', 'changes_requested', 'approved', 'approved_at_cap', 'passed_unreviewed', 'reopened'] as const
    ).map((to) => ({ story: 'x', to, by: 'runner' as const })),
    artefacts: ['x'],
    violations: [{ rule: 'marker', story: 'x', message: 'x' }],
  },
  { kind: 'wait.started', reason: 'x', until: 'x' },
  { kind: 'completion.started', iteration: 1, commit: 'x', tree: 'x' },
  { kind: 'wait.ended', reason: 'x', until: 'x' },
  { kind: 'iteration.finished', iteration: 1, changed: true, commits: ['x'], error: 'x', counted: false },
]

const notices: readonly Notice[] = [
  { kind: 'agent.ready', model: 'x', version: 'x' },
  { kind: 'agent.text', text: 'x' },
  { kind: 'agent.tool.started', id: 'a', verb: 'x', target: 'x' },
  { kind: 'agent.tool.ended', id: 'a', ok: true, output: 'x' },
  { kind: 'agent.tool.ended', id: 'b', ok: false, output: 'x' },
  {
    kind: 'agent.todo',
    items: [
      { text: 'x', state: 'in_progress' },
      { text: 'x', state: 'completed' },
    ],
  },
  { kind: 'agent.remark', text: 'x' },
  { kind: 'agent.tool.started', id: 'c', verb: 'x', target: 'x' },
]

/** A run in which every text that is anybody's is an attack. */
export const hostileRun: fc.Arbitrary<(display: Display) => void> = fc
  .array(hostileText, { minLength: 5, maxLength: 30 })
  .map((texts) => (display: Display) => {
    let index = 0
    const next = (): string => texts[index++ % texts.length] ?? ''
    const stories: StoryView[] = (['done', 'needs_review', 'changes_requested', 'blocked', 'open'] as const).map(
      (state) => ({
        id: next(),
        title: next(),
        state,
        reviewCount: 1,
        feedback: next(),
      }),
    )
    const view = viewOf(...stories)
    const show = showing(display, view)
    display.remark(next())
    show(poisoned(runStarted, next), { kind: 'run.resumed', flags: { [next()]: 1 } }, poisoned(started, next))
    for (const notice of notices) display.notice(poisoned(notice, next))
    for (const event of events) show(poisoned(event, next))
    // Its reason is one of ours.
    show({ ...runStopped })
    const lists = { concerns: [next(), next()], details: [next(), next()], caught: [next(), next()] }
    display.summary(summaryOf({ state: stateAfter(runStopped), view, ...lists, nextCommand: next(), journal: next() }))
    display.close()
  })
