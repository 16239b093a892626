import { describe, expect, it } from 'vitest'
import type { Story } from '../../../src/model/story.ts'
import { judge } from '../../../src/tasks/judge.ts'
import {
  markerVersion,
  readMarker,
  rulesOfMarker,
  snapshotForMarker,
  snapshotOfMarker,
  writeMarker,
  type Marker,
} from '../../../src/tasks/marker.ts'
import { takeSnapshot } from '../../../src/tasks/take-snapshot.ts'
import { edit, list, seen, stage, story } from '../../support/task-list.ts'

const before = list([
  story('A', { description: undefined as never, notes: undefined as never, dependsOn: undefined as never }),
  story('B', { ...stage.approved, splitInto: ['A'], verifyCommands: ['x'] }),
])
const marker: Marker = {
  version: markerVersion,
  timestamp: '2026-11-16T02:46:56.000Z',
  pid: 12_345,
  runId: '20261116-024656-0a1b2c3d',
  sessionId: '6f1f6f4e-0000-4000-8000-000000000000',
  iteration: 3,
  max_iterations: 15,
  mode: 'direct',
  ralphDir: 'ralph',
  story: 'A',
  base: '0'.repeat(40),
  branch: 'ralph/demo',
  skipReview: false,
  reviewCap: 5,
  iterationMode: 'implement',
  ...snapshotForMarker(takeSnapshot(before)),
  leaveOut: ['notes.txt', 'coverage/'],
  hashes: { 'ralph/prd.md': 'ab' },
}

const read = (text: string) => {
  const result = readMarker(text)
  if (!result.ok) throw new Error(result.error)
  return result.value
}

describe('the marker', () => {
  it('comes back as it was written', () => {
    expect(read(writeMarker(marker))).toEqual({ marker, warnings: [] })
  })

  it('carries everything that the rules compare: the hook judges as the runner does', () => {
    const snapshot = snapshotOfMarker(read(writeMarker(marker)).marker)
    const hook = (after: typeof before) => judge(snapshot, { tasks: seen(after) }, 'implement', rulesOfMarker(marker))
    expect(hook(before)).toEqual({ illegal: [], unfinished: [] })
    const lies = edit(edit(before, 'A', { ...stage.approved, title: 'Easier', dependsOn: ['Z'] }), 'B', { notes: '' })
    const runner = judge(takeSnapshot(before), { tasks: seen(lies) }, 'implement', rulesOfMarker(marker))
    expect(hook(lies)).toEqual(runner)
    expect(hook(list([story('A')])).illegal.map((v) => v.rule)).toEqual(
      judge(takeSnapshot(before), { tasks: seen(list([story('A')])) }, 'implement', rulesOfMarker(marker)).illegal.map(
        (v) => v.rule,
      ),
    )
  })

  it('of the seed still works: its three fields are compared, the others are not', () => {
    const small = {
      timestamp: '2025-06-15T10:30:00Z',
      pid: 12_345,
      max_iterations: 15,
      mode: 'sandbox',
      skipReview: false,
      reviewCap: 5,
      iterationMode: 'implement',
      preIterationSnapshot: {
        'US-001': { passes: false, reviewStatus: null, reviewCount: 0 },
        'US-002': { passes: true, reviewStatus: 'approved', reviewCount: 1 },
      },
    }
    const { marker, warnings } = read(JSON.stringify(small))
    expect(warnings).toEqual([])
    const snapshot = snapshotOfMarker(marker)
    const now = list([story('US-001', { title: 'Whatever', verifyCommands: ['x'] }), story('US-002', stage.approved)])
    const hook = (after: typeof now) => judge(snapshot, { tasks: seen(after) }, 'implement', rulesOfMarker(marker))
    expect(hook(now)).toEqual({ illegal: [], unfinished: [] })
    expect(hook(edit(now, 'US-001', stage.submitted)).illegal).toEqual([])
    expect(hook(edit(now, 'US-001', { passes: true })).illegal.map((v) => v.rule)).toEqual(['illegal-transition'])
    expect(
      hook(edit(now, 'US-002', { passes: false, reviewStatus: null, reviewCount: 0 })).illegal.map((v) => v.rule),
    ).toEqual(['illegal-transition'])
    const free = edit(now, 'US-001', { dependsOn: ['US-009'], notes: '' })
    expect(hook(free).illegal).toEqual([])
    const { reviewFeedback: _, ...gap } = story('US-001')
    const lacking = { ...now, userStories: [gap as Story, story('US-002', stage.approved)] }
    expect(hook(lacking).illegal.map((v) => v.message)).toEqual([
      'Story US-001: reviewFeedback is missing (must be text).',
    ])
    const born = { ...now, userStories: [...now.userStories, story('US-003', stage.passed)] }
    expect(hook(born).illegal.map((v) => v.rule)).toEqual(['new-story-not-clean'])
  })

  it('without a snapshot warns, and gives none', () => {
    const { marker, warnings } = read('{"pid": 1}')
    expect(warnings).toEqual(['.ralph-active has no preIterationSnapshot: transitions are not checked, only the state'])
    expect(snapshotOfMarker(marker)).toBeNull()
    expect(snapshotOfMarker({ preIterationSnapshot: {} })).toBeNull()
    expect(snapshotOfMarker({ iterationMode: 'review' })).toBeNull()
    expect(rulesOfMarker(marker)).toMatchObject({ skipReview: false, reviewCap: 5, ralphDir: 'ralph' })
    expect(rulesOfMarker(marker).story).toBeUndefined()
  })

  it.each([
    ['pid', '7'],
    ['mode', 'both'],
    ['skipReview', 'yes'],
    ['reviewCap', -1],
    ['preIterationSnapshot', { A: { passes: 'no', reviewStatus: null, reviewCount: 0 } }],
    ['preIterationSnapshot', { A: { passes: false } }],
    ['preIterationSnapshot', { 'A\nB': { passes: false, reviewStatus: null, reviewCount: 0 } }],
    ['preIterationSnapshot', { A: { passes: false, reviewStatus: null, reviewCount: 0, splitInto: 'B' } }],
    ['preIterationList', { verifyCommands: 'npm test' }],
    ['preIterationList', { protectedPaths: 'test' }],
    ['preIterationList', { branchName: ['main'] }],
    ['hashes', { a: 1 }],
  ])('ignores a %s that cannot be used, and says so', (field, value) => {
    const { marker: forged, warnings } = read(JSON.stringify({ ...marker, [field]: value }))
    expect(forged).not.toHaveProperty(field)
    expect(warnings).toContain(`.ralph-active: ${field} cannot be used and is ignored`)
  })

  it.each(['', '[]', '{', '{"__proto__": {}}', '7'])('%j is none', (text) => expect(readMarker(text).ok).toBe(false))
})
