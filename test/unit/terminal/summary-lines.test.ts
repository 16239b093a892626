import { describe, expect, it } from 'vitest'
import { layOut } from '../../../src/terminal/lay-out.ts'
import type { Summary } from '../../../src/terminal/display.ts'
import { summaryLines } from '../../../src/terminal/summary-lines.ts'
import { fineSymbols } from '../../../src/terminal/symbols.ts'
import { iterationEvents } from '../../support/events.ts'
import { stateAfter, story, summaryOf, viewOf } from '../../support/shown-run.ts'
import type { Event } from '../../../src/model/event.ts'
import type { StopReason } from '../../../src/model/stop-reason.ts'
import { exitCodeOf } from '../../../src/model/stop-reason.ts'

const look = (summary: Summary, width = 79) =>
  summaryLines(summary).flatMap((line) => layOut(line, width, { symbols: fineSymbols, color: false }))

const stopped = (reason: StopReason): Event => ({
  kind: 'run.stopped',
  reason,
  exitCode: exitCodeOf[reason],
  totals: { iterations: 1, costUsd: null, tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }, durationMs: 1 },
})

const moves = (...pairs: [string, 'approved' | 'approved_at_cap'][]): Event => ({
  kind: 'stories.moved',
  iteration: 1,
  moves: pairs.map(([story, to]) => ({ story, to, by: 'agent' })),
  artefacts: [],
  violations: [],
})

describe('the summary', () => {
  it('tells the whole night', () => {
    const state = stateAfter(
      ...iterationEvents(1),
      moves(['US-001', 'approved'], ['US-010', 'approved_at_cap']),
      stopped('max_iterations'),
    )
    const view = viewOf(
      story('US-001', { state: 'done', reviewCount: 1 }),
      story('US-002', { state: 'changes_requested', reviewCount: 2, feedback: 'No test for the button' }),
      story('US-3', { state: 'blocked' }),
      story('US-004', { state: 'needs_review' }),
      story('US-005'),
      story('US-010', { state: 'done', reviewCount: 5 }),
      story('US-000', { state: 'done' }),
    )
    const summary = summaryOf({
      state,
      view,
      details: ['US-3 is blocked: needs an API key'],
      caught: ['iteration 1: frozen-field US-1: title may not change'],
      concerns: ['Approved only because the review cap was reached: US-010.'],
      commits: 12,
      durationMs: 4_320_000,
    })
    expect(look(summary)).toEqual([
      '',
      '✗ Not done: all iterations are used up. (max_iterations)',
      '  - US-3 is blocked: needs an API key',
      '',
      'Stories: 3 of 7 done',
      '  ✓ US-001  approved             1 review   Title of US-001',
      '  ✗ US-002  changes requested    2 reviews  Title of US-002',
      '      feedback: No test for the button',
      '  ! US-3    blocked                         Title of US-3',
      '  ○ US-004  needs review                    Title of US-004',
      '  ○ US-005  open                            Title of US-005',
      '  ✓ US-010  approved at the cap  5 reviews  Title of US-010',
      '  ✓ US-000  done                            Title of US-000',
      '',
      'Caught and put back by the referee:',
      '  ✗ iteration 1: frozen-field US-1: title may not change',
      '',
      'Concerns:',
      '  - Approved only because the review cap was reached: US-010.',
      '',
      'Total: 1 iteration, 12 commits, 1 h 12 min, $0.25, 30.4k tokens in (30k',
      'cached), 2k out',
      'Journal: /state/journal.ndjson',
      '',
      'Next: ralph run',
    ])
  })

  it('is short where there is little to tell', () => {
    expect(look(summaryOf({ state: stateAfter(stopped('complete')) }))).toEqual([
      '',
      '✓ Complete: everything is approved, and the checks passed when Ralph ran them.',
      '  (complete)',
      '',
      'Total: 0 iterations, 0 commits, 1 min',
      'Journal: /state/journal.ndjson',
      '',
      'Next: ralph run',
    ])
  })

  it.each<[StopReason, string]>([
    ['complete', '✓'],
    ['complete_with_concerns', '!'],
    ['waiting', '!'],
    ['review_cap', '!'],
    ['timeout', '✗'],
    ['interrupted', '✗'],
  ])('marks %s with %s', (reason, mark) => {
    expect(look(summaryOf({ state: stateAfter(stopped(reason)) }))[1]?.[0]).toBe(mark)
  })

  it('shows forty stories of many, those first that are not done, in the order of the list', () => {
    const stories = Array.from({ length: 200 }, (_, n) => story(`US-${n}`, { state: n % 5 === 4 ? 'open' : 'done' }))
    const shown = look(summaryOf({ view: viewOf(...stories, story('US-last')) })).filter((line) => /US-/.test(line))
    expect(shown).toHaveLength(40)
    expect(shown.every((line) => line.startsWith('  ○'))).toBe(true)
    expect(shown[0]).toContain('US-4 ')

    const allDone = Array.from({ length: 200 }, (_, n) => story(`US-${n}`, { state: 'done' }))
    const one = look(summaryOf({ view: viewOf(...allDone, story('US-last')) }))
    expect(one.filter((line) => /US-/.test(line)).map((line) => line.trim().split(/ +/)[1])).toEqual([
      ...Array.from({ length: 39 }, (_, n) => `US-${n}`),
      'US-last',
    ])
    expect(one).toContain('  and 161 more (161 done)')
  })

  it('shows ten of what checks and agents rely on and that changed, and how many there are', () => {
    const surface = Array.from({ length: 12 }, (_, n) => `test/${n}.test.ts (modified)`)
    const lines = look(summaryOf({ surface }))
    expect(lines).toContain('Changed, and the checks or agents rely on it (10 of 12):')
    expect(lines.filter((line) => line.includes('.test.ts (modified)'))).toHaveLength(10)
  })

  it('shows ten of the other branches that changed, and how many there are', () => {
    const branches = Array.from({ length: 12 }, (_, n) => `b${n} was deleted; it was at 0123456789ab`)
    const lines = look(summaryOf({ branches }))
    expect(lines).toContain('Other branches changed meanwhile and were left so (10 of 12):')
    expect(lines.filter((line) => line.includes('was deleted'))).toHaveLength(10)
  })

  it('shows the last ten that were caught, and how many there were', () => {
    const caught = Array.from({ length: 12 }, (_, n) => `schema number ${n}`)
    const lines = look(summaryOf({ caught }))
    expect(lines).toContain('Caught and put back by the referee (the last 10 of 12):')
    expect(lines.filter((line) => line.includes('schema number'))).toEqual(
      Array.from({ length: 10 }, (_, n) => `  ✗ schema number ${n + 2}`),
    )
  })

  it('says that a cost is not known rather than nothing', () => {
    const [started, finished] = iterationEvents(1) as [Event, Extract<Event, { kind: 'agent.finished' }>]
    const state = stateAfter(started, { ...finished, costUsd: null, tokens: null }, stopped('idle'))
    expect(look(summaryOf({ state }))).toContain('Total: 1 iteration, 0 commits, 1 min, cost not reported')
  })

  it('names the branch that the commits are on', () => {
    const total = (commits: number) => look(summaryOf({ commits, branch: 'ralph/cart' })).join('\n')
    expect(total(3)).toContain('3 commits on ralph/cart')
    expect(total(0)).not.toContain('ralph/cart')
  })

  it('never breaks what is to be copied', () => {
    const nextCommand = `ralph run --project-dir /home/me/${'long/'.repeat(20)}`
    expect(look(summaryOf({ nextCommand }), 20).at(-1)).toBe(`Next: ${nextCommand}`)
  })
})
