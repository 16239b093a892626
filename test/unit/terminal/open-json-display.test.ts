import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonLine } from '../../../src/terminal/open-json-display.ts'
import { openDisplay } from '../../../src/terminal/open-display.ts'
import { runEvents } from '../../support/events.ts'
import { fakeScreen } from '../../support/fake-screen.ts'
import { hostileText, seeded } from '../../support/hostile-text.ts'
import { optionsFor, showing, summaryOf, viewOf } from '../../support/shown-run.ts'

function open({ verbose = false, quiet = false } = {}) {
  const screen = fakeScreen()
  const display = openDisplay(screen, optionsFor({ format: 'json', color: true, verbose, quiet }))
  return { screen, display, show: showing(display, viewOf()) }
}

describe('a run as JSON', () => {
  it('is one recorded event a line and nothing else, also when quiet', () => {
    for (const quiet of [false, true]) {
      const { screen, display, show } = open({ quiet })
      const events = runEvents(1)
      show(...events)
      display.notice({ kind: 'agent.text', text: 'hello' })
      display.remark('a remark')
      display.summary(summaryOf())
      display.close()
      const lines = screen.text().split('\n')
      expect(lines.pop()).toBe('')
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
        events.map((event, index) => expect.objectContaining({ ...event, seq: index + 1 }) as unknown),
      )
      expect(screen.timers()).toBe(0)
    }
  })

  it('has what the agent does when everything is wanted, without a number', () => {
    const { screen, display } = open({ verbose: true })
    display.notice({ kind: 'agent.text', text: 'hello' })
    expect(screen.text()).toBe('{"kind":"agent.text","text":"hello"}\n')
  })
})

describe('a line of JSON', () => {
  it('is readable where it is harmless', () => {
    expect(jsonLine({ kind: 'agent.text', text: 'ä 漢字 😀 "a"\n' })).toBe(
      String.raw`{"kind":"agent.text","text":"ä 漢字 😀 \"a\"\n"}`,
    )
  })

  it('is the same value to who parses it, and harmless to who looks at it, whatever is in it', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const line = jsonLine({ kind: 'agent.text', text })
        expect(JSON.parse(line)).toEqual({ kind: 'agent.text', text })
        expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
        expect(line).not.toMatch(/##[\w.-]*\[/)
      }),
      seeded(500),
    )
  })
})
