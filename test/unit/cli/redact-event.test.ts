import { expect, it } from 'vitest'
import { redactEvent } from '../../../src/cli/redact-event.ts'
import type { Event } from '../../../src/model/event.ts'
import { runStopped } from '../../support/events.ts'

const redact = (text: string): string => text.replaceAll('needs_review', '[redacted]')

it('takes keys out of everything that can be the words of an agent, and out of nothing else', () => {
  const event: Event = {
    kind: 'stories.moved',
    iteration: 1,
    moves: [{ story: 'US-001', to: 'needs_review', by: 'agent' }],
    artefacts: [],
    violations: [{ rule: 'schema', story: null, message: 'it is needs_review' }],
  }
  expect(redactEvent(event, redact)).toEqual({
    ...event,
    violations: [{ rule: 'schema', story: null, message: 'it is [redacted]' }],
  })
})

it('takes them out of lists of texts too', () => {
  const event: Event = {
    kind: 'state.repaired',
    iteration: 1,
    what: ['put back needs_review'],
    commit: null,
    tree: 'a',
  }
  expect(redactEvent(event, redact)).toEqual({ ...event, what: ['put back [redacted]'] })
})

it('takes them out of the reasons of a stop', () => {
  const details = ['US-1 is blocked: needs_review']
  const event = { ...(runStopped as Extract<Event, { kind: 'run.stopped' }>), details }
  expect(redactEvent(event, redact).details).toEqual(['US-1 is blocked: [redacted]'])
})
