import fc from 'fast-check'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Event } from '../../../src/model/event.ts'
import { openDisplay } from '../../../src/terminal/open-display.ts'
import type { DisplayOptions } from '../../../src/terminal/display.ts'
import { textWidth } from '../../../src/terminal/text-width.ts'
import { iterationEvents, runEvents, runStarted, runStopped } from '../../support/events.ts'
import { seeded } from '../../support/hostile-text.ts'
import { fakeClock, fakeScreen } from '../../support/fake-screen.ts'
import { hostileRun } from '../../support/hostile-run.ts'
import { optionsFor, showing, story, summaryOf, viewOf } from '../../support/shown-run.ts'
import { tinyTerminal } from '../../support/tiny-terminal.ts'

beforeAll(() => {
  vi.stubEnv('TZ', 'UTC')
})

const view = viewOf(story('US-1', { title: 'Log out', state: 'done', reviewCount: 1 }), story('US-2'))

function open(options: Partial<DisplayOptions> = {}, { isTerminal = true, columns = 80 } = {}) {
  const clock = fakeClock()
  const screen = fakeScreen({ isTerminal, columns })
  const display = openDisplay(screen, optionsFor({ clock, ...options }))
  return { clock, screen, display, show: showing(display, view), ...display }
}

type Opened = ReturnType<typeof open>

/** What a person sees on a terminal after all of it. */
function rows({ screen }: Opened, columns = 80): string[] {
  const terminal = tinyTerminal(columns)
  for (const text of screen.writes) terminal.write(text)
  return terminal.rows()
}

/** An iteration with a little of everything. */
function iterate({ show, display, clock }: Opened): void {
  const [started, ...others] = iterationEvents(1)
  if (started === undefined) throw new Error('no iteration')
  show(runStarted, started)
  display.notice({ kind: 'agent.ready', model: 'opus', version: '2.1' })
  display.notice({ kind: 'agent.text', text: 'First the tests.' })
  display.notice({ kind: 'agent.tool.started', id: 'a', verb: 'Bash', target: 'npm test' })
  clock.pass(3100)
  display.notice({ kind: 'agent.tool.ended', id: 'a', ok: false, output: '1 failing' })
  display.notice({ kind: 'agent.todo', items: [{ text: 'Fix it', state: 'in_progress' }] })
  display.notice({ kind: 'agent.todo', items: [{ text: 'Fix it', state: 'in_progress' }] })
  display.notice({ kind: 'agent.remark', text: 'trying again' })
  show(...others)
}

describe('on a terminal', () => {
  it('an iteration is told above a status line', () => {
    const opened = open()
    iterate(opened)
    expect(rows(opened)).toEqual([
      'Run 20261101-120000-00c0ffee',
      '── Iteration 1 of 15 · implement · US-1 Log out ──',
      '    First the tests.',
      '    ✗ Bash npm test 3.1 s',
      '        1 failing',
      '    todo 0/1, now: Fix it',
      '    ! trying again',
      '  ✓ claude finished (1 min 1 s, $0.25, 30.4k tokens in (30k cached), 2k out)',
      '  ✓ npm test 4.3 s',
      '  ✗ npm run lint (exit 1, 99 ms), see checks/2.log',
      '  ✗ caught: frozen-field US-1: title may not change',
      '  ralph/tasks.json (commit cccccccc)',
      '  US-1 → needs review',
      '  1 commit',
      ' 1/15 · 1/2 done · $0.25',
    ])
  })

  it('why an agent failed is told once', () => {
    const opened = open()
    const [started, finished, , , , , , closed] = iterationEvents(1)
    if (started === undefined) throw new Error('no iteration')
    const failed = { ...finished, outcome: 'failed', exitCode: 1, message: 'API Error' } as Event
    opened.show(runStarted, started, failed, { ...closed, commits: [], changed: false, error: 'API Error' } as Event)
    expect(rows(opened).filter((row) => row.includes('API Error'))).toHaveLength(1)
    opened.show(started, failed, { ...closed, error: 'something else' } as Event)
    expect(rows(opened).join('\n')).toContain('✗ iteration 1: something else')
  })

  it('the status line goes on by itself, second by second', () => {
    const opened = open()
    opened.show(runStarted, ...iterationEvents(1).slice(0, 1))
    opened.notice({ kind: 'agent.tool.started', id: 'a', verb: 'Bash', target: 'npm test' })
    opened.clock.pass(61_000)
    opened.screen.tick()
    expect(rows(opened).at(-1)).toBe(' 1/15 · implement · US-1 · 1 min 1 s · 1/2 done · Bash npm test')
  })

  it('the time of an iteration that was resumed is counted from the resume', () => {
    const opened = open()
    opened.clock.pass(1_000_000)
    opened.show(runStarted, ...iterationEvents(1).slice(0, 1), { kind: 'run.resumed', flags: {} })
    opened.clock.pass(2000)
    opened.screen.tick()
    expect(rows(opened).at(-1)).toBe(' 1/15 · implement · US-1 · 2 s · 1/2 done')
  })

  it('a tool call that the agent left open is told when the agent is gone', () => {
    const opened = open()
    const [started, finished] = iterationEvents(1)
    if (started === undefined || finished === undefined) throw new Error('no iteration')
    opened.show(runStarted, started)
    opened.notice({ kind: 'agent.tool.started', id: 'a', verb: 'Bash', target: 'sleep 100' })
    opened.show(finished)
    expect(rows(opened)).toContain('    ✗ Bash sleep 100 did not end (0 ms)')
  })

  it('nothing is left of the status line after the summary, nor after closing', () => {
    const opened = open()
    iterate(opened)
    opened.show(runStopped)
    opened.summary(summaryOf())
    expect(rows(opened).slice(-2)).toEqual(['Next: ralph run', ''])
    expect(rows(opened).join('\n')).not.toContain('1/15')

    const closed = open()
    closed.show(runStarted)
    closed.close()
    closed.close()
    expect(rows(closed)).toEqual(['Run 20261101-120000-00c0ffee', ''])
    expect(closed.screen.timers()).toBe(0)
  })

  it('the screen gets no sequence but those of colour, and none without colour', () => {
    // oxlint-disable-next-line no-control-regex -- what a terminal acts on
    const sequences = (text: string) => new Set(text.match(/\u{1b}.{0,4}?[A-Za-z]/gu))
    const colored = open({ color: true })
    iterate(colored)
    expect([...sequences(colored.screen.text())].every((each) => /\[(K|\d+m)$/.test(each))).toBe(true)
    expect(sequences(colored.screen.text()).size).toBeGreaterThan(4)
    const plain = open({ color: false })
    iterate(plain)
    expect([...sequences(plain.screen.text())]).toEqual(['\u{1b}[K'])
  })
})

describe('without a terminal', () => {
  it.each(['plain', 'pretty'] as const)(
    '%s is plain lines: times, agent set off, no colour, nothing rewritten',
    (format) => {
      const opened = open({ format, color: true }, { isTerminal: false })
      iterate(opened)
      expect(opened.screen.text().split('\n')).toEqual([
        '02:15:01 Run 20261101-120000-00c0ffee',
        '02:15:02 ── Iteration 1 of 15 · implement · US-1 Log out ──',
        '  | First the tests.',
        '  | ✗ Bash npm test 3.1 s',
        '  |     1 failing',
        '  | todo 0/1, now: Fix it',
        '  | ! trying again',
        '02:15:03 ✓ claude finished (1 min 1 s, $0.25, 30.4k tokens in (30k cached), 2k out)',
        '02:15:04 ✓ npm test 4.3 s',
        '02:15:05 ✗ npm run lint (exit 1, 99 ms), see checks/2.log',
        '02:15:06 ✗ caught: frozen-field US-1: title may not change',
        '02:15:07 ralph/tasks.json (commit cccccccc)',
        '02:15:08 US-1 → needs review',
        '02:15:09 1 commit',
        '',
      ])
      expect(opened.screen.timers()).toBe(0)
    },
  )

  it('a remark has its time, on each of its lines', () => {
    const opened = open({ format: 'plain' })
    opened.remark('one\ntwo')
    expect(opened.screen.text()).toBe('02:15:00 one\n02:15:00 two\n')
  })
})

describe('an option', () => {
  const quietLines = ['  ✗ caught: frozen-field US-1: title may not change', '── Stopped after 1 iteration · 1 ms ──']

  it('quiet leaves what was caught, the stop and the summary, without a status line', () => {
    const opened = open({ quiet: true, verbose: true })
    opened.remark('remark')
    iterate(opened)
    opened.show(runStopped)
    expect(opened.screen.text()).toBe(`${quietLines.join('\n')}\n`)
    expect(opened.screen.timers()).toBe(0)
    opened.summary(summaryOf())
    expect(rows(opened)).toContain('Next: ralph run')
  })

  it('verbose adds what is unfinished, the list of todos, all that tools say and how many there were', () => {
    const opened = open({ verbose: true, format: 'plain' })
    iterate(opened)
    opened.notice({ kind: 'agent.tool.ended', id: 'x', ok: true, output: 'fine' })
    opened.show({
      kind: 'verdict.given',
      iteration: 1,
      ok: true,
      violations: [],
      unfinished: [{ what: 'no-notes', story: null, message: 'no notes' }],
      head: null,
      tree: 'x',
    })
    const text = opened.screen.text()
    const added = [
      ' 1 tool call, 1 failed',
      '  | ready 2.1 opus',
      '  |   ! Fix it',
      '  |     fine',
      ' ! unfinished: no notes',
    ]
    for (const line of added) {
      expect(text).toContain(`${line}\n`)
    }
  })

  it('streamAgentOutput off shows nothing of the agent but its remarks', () => {
    const opened = open({ streamAgentOutput: false, format: 'plain' })
    iterate(opened)
    expect(opened.screen.text().match(/^ {2}\|.*$/gm)).toEqual(['  | ! trying again'])
  })

  it('emoji off leaves ASCII only', () => {
    for (const format of ['pretty', 'plain'] as const) {
      const opened = open({ emoji: false, format, verbose: true })
      iterate(opened)
      opened.show(runStopped)
      opened.summary(summaryOf({ view, concerns: ['one'], caught: ['two'] }))
      // oxlint-disable-next-line no-control-regex -- the range of ASCII
      expect(opened.screen.text()).toMatch(/^[\0-\u{7f}]*$/u)
      expect(opened.screen.text()).toContain('[ok] npm test')
    }
  })
})

/** Properties take a second; on a busy machine more. */
const slow = { timeout: 60_000 }

/** One line on a terminal: nothing that acts. */
const harmless = String.raw`[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*`

describe('whatever the texts of a run are', () => {
  const flags = fc.record({ emoji: fc.boolean(), verbose: fc.boolean(), quiet: fc.boolean() })

  it('no character acts, and no line begins or holds a command, in plain lines and in JSON', slow, () => {
    const line = new RegExp(`^${harmless}$`, 'u')
    fc.assert(
      fc.property(hostileRun, flags, fc.constantFrom('plain' as const, 'json' as const), (play, flags, format) => {
        const { screen, display } = open({ ...flags, format, color: true })
        play(display)
        for (const each of screen.text().split('\n')) {
          expect(each).toMatch(line)
          expect(each.trimStart().startsWith('::')).toBe(false)
          expect(each).not.toMatch(/##[\w.-]*\[/)
        }
      }),
      seeded(150),
    )
  })

  it(
    'a terminal gets nothing but lines, CR and erase-line of ours, and no line that it would have to wrap',
    slow,
    () => {
      const write = new RegExp(String.raw`^\r?(?:(?:\u{1b}\[K)?${harmless}\n)*(?:\u{1b}\[K(?:${harmless}\r)?)?$`, 'u')
      fc.assert(
        fc.property(hostileRun, flags, fc.integer({ min: 20, max: 120 }), (play, flags, columns) => {
          const { screen, display } = open(flags, { columns })
          play(display)
          for (const each of screen.writes) expect(each).toMatch(write)
          const lines = screen
            .text()
            .replaceAll('\u{1b}[K', '')
            .split(/[\r\n]/)
          const tooWide = lines.filter((line) => textWidth(line) >= columns)
          // What is to be copied is left whole.
          expect(tooWide.filter((line) => !/^(Journal|Next): /.test(line))).toEqual([])
        }),
        seeded(150),
      )
    },
  )

  it('colour adds colours only', slow, () => {
    fc.assert(
      fc.property(hostileRun, (play) => {
        const [plain, colored] = [open({ color: false }), open({ color: true })]
        play(plain.display)
        play(colored.display)
        // oxlint-disable-next-line no-control-regex -- the sequences of colour
        expect(colored.screen.text().replaceAll(/\u{1b}\[(?:1|2|22|31|32|33|39)m/gu, '')).toBe(plain.screen.text())
      }),
      seeded(50),
    )
  })
})

describe('a long run', () => {
  it('costs the same at its end as at its beginning', () => {
    const { screen, show } = open()
    show(...runEvents(500))
    const sizes = screen.writes.map((text) => text.length)
    expect(Math.max(...sizes.slice(-100, -1))).toBeLessThanOrEqual(Math.max(...sizes.slice(0, 100)) + 20)
  })
})
