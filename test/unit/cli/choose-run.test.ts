import { describe, expect, it } from 'vitest'
import { chooseRun } from '../../../src/cli/choose-run.ts'
import type { Event } from '../../../src/model/event.ts'
import { reduce, type RunState } from '../../../src/model/run-state.ts'
import { iterationEvents, recorded, runStarted, runStopped } from '../../support/events.ts'

const begun: Event = { ...runStarted, options: { ralphDir: 'ralph', branchName: 'b' } } as Event
const [started] = iterationEvents(1) as [Event]
const completion: Event = { kind: 'completion.started', iteration: 1, commit: 'c', tree: 't' }
const stopped = (reason: 'complete' | 'storage'): Event => ({ ...runStopped, reason }) as Event
const wish = { fresh: false, ralphDir: 'ralph', branchName: 'b' }

function choose(events: readonly Event[], over: Partial<typeof wish> = {}): string {
  const run = recorded([begun, ...events]).reduce<RunState | null>(reduce, null)
  const choice = chooseRun({ runId: 'r', run }, { ...wish, ...over })
  if (choice.kind === 'resume') return 'goes on'
  return choice.unjudged === null ? 'a new one' : 'a new one, after the old is judged'
}

describe('the next run', () => {
  it.each<[string, Event[], Partial<typeof wish>, string]>([
    ['after a kill between iterations', [], {}, 'goes on'],
    ['after a kill in an iteration', [started], {}, 'goes on'],
    ['after an interruption', [runStopped], {}, 'goes on'],
    ['after a completion', [stopped('complete')], {}, 'a new one'],
    ['after a full disk in an iteration', [started, stopped('storage')], {}, 'a new one, after the old is judged'],
    ['for another list', [], { branchName: 'c' }, 'a new one'],
    ['for a list that an agent may have changed', [started], { branchName: 'c' }, 'goes on'],
    ['for a list that a check may have changed', [completion], { branchName: 'c' }, 'goes on'],
    ['for another directory', [started], { ralphDir: 'other' }, 'a new one, after the old is judged'],
    ['with --fresh', [], { fresh: true }, 'a new one'],
    ['with --fresh after a kill in an iteration', [started], { fresh: true }, 'a new one, after the old is judged'],
    [
      'with --fresh after a kill in the last checks',
      [completion],
      { fresh: true },
      'a new one, after the old is judged',
    ],
  ])('%s', (_, events, over, expected) => {
    expect(choose(events, over)).toBe(expected)
  })
})
