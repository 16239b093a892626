import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { isObject, parseJson, sameJson, type Json, type JsonObject } from '../../../src/base/json.ts'
import { unreachable } from '../../../src/base/unreachable.ts'
import type { Observation, PathChange } from '../../../src/model/observation.ts'
import type { Snapshot } from '../../../src/model/snapshot.ts'
import type { IterationMode, Story, TaskList } from '../../../src/model/story.ts'
import { brokenInvariants } from '../../../src/tasks/invariants.ts'
import { judge, repair } from '../../../src/tasks/judge.ts'
import { judgeTurn } from '../../../src/tasks/judge-turn.ts'
import { readMarker, rulesOfMarker, snapshotForMarker, snapshotOfMarker } from '../../../src/tasks/marker.ts'
import { isBlank, readTasks, writeTasks } from '../../../src/tasks/read-tasks.ts'
import {
  afterRejection,
  approveAtCap,
  rejectForChecks,
  reopenForChecks,
  requireReview,
  submitSplitStories,
} from '../../../src/tasks/runner-moves.ts'
import { isBlocked, isDone, selectStory } from '../../../src/tasks/select-story.ts'
import { takeSnapshot } from '../../../src/tasks/take-snapshot.ts'
import { afterEdits, arbitraryEdits, arbitraryList, arbitraryMode } from '../../support/arbitrary-list.ts'
import { changed, edit, rules, seen, stage } from '../../support/task-list.ts'

// Many runs on a machine that may have other work.
vi.setConfig({ testTimeout: 60_000 })

/** The same in every check; `RALPH_SEED=… RALPH_RUNS=100000` looks further. */
const runs = {
  numRuns: Number(process.env['RALPH_RUNS'] ?? 1500),
  seed: Number(process.env['RALPH_SEED'] ?? 20_261_116),
}
const ruleset = fc.record({
  skipReview: fc.boolean(),
  agentSucceeded: fc.boolean(),
  reviewCap: fc.constantFrom(0, 1, 5),
  story: fc.constantFrom('S0', 'S1', 'S2'),
})
const paths = fc.subarray<PathChange>([
  changed('src/a.ts'),
  changed('test/run.sh'),
  changed('ralph/prd.md', 'nothing'),
  changed('.claude/settings.json'),
  changed('CLAUDE.md'),
])
const rest = fc.record({
  changes: paths,
  branch: fc.constantFrom<string | null>('ralph/demo', 'main', null),
  baseIsAncestor: fc.boolean(),
  marker: fc.constantFrom('as-written', 'changed'),
  packageJson: fc.constantFrom('{"scripts":{"test":"vitest"}}', '{"scripts":{"test":"true"},"x":1}', '{}', '{'),
})

type Rest = typeof rest extends fc.Arbitrary<infer T> ? T : never

const observe = (text: string, seen: Rest): Observation => ({
  tasks: { kind: 'text', text },
  ...seen,
  packageJson: { kind: 'text', text: seen.packageJson },
})

const fixed = {
  protects: (path: string) => path === 'test/run.sh',
  protectedScripts: new Map([['test', 'vitest']]),
}

describe('for any list and anything an agent does to it', () => {
  it('the unchanged snapshot is never illegal', () => {
    fc.assert(
      fc.property(arbitraryList, arbitraryMode, ruleset, (list, mode, given) => {
        const result = judge(
          takeSnapshot(list, 'ralph/demo'),
          { tasks: seen(list), branch: 'ralph/demo' },
          mode,
          rules(given),
        )
        expect(result.illegal).toEqual([])
        expect(repair(takeSnapshot(list), { tasks: seen(list) }, mode, rules(given)).tasks).toBeNull()
      }),
      runs,
    )
  })

  it('nor is an unchanged snapshot that breaks the invariants', () => {
    fc.assert(
      fc.property(arbitraryList, arbitraryEdits, arbitraryMode, ruleset, (start, edits, mode, given) => {
        const read = readTasks(afterEdits(start, edits))
        fc.pre(read.ok)
        const list = read.ok ? read.value : start
        expect(judge(takeSnapshot(list), { tasks: seen(list) }, mode, rules(given)).illegal).toEqual([])
      }),
      runs,
    )
  })

  it('after repair nothing is illegal, and repairing again changes nothing', () => {
    fc.assert(
      fc.property(arbitraryList, arbitraryEdits, arbitraryMode, ruleset, rest, (list, edits, mode, given, seen) => {
        const before = takeSnapshot(list, 'ralph/demo')
        const all = rules({ ...given, ...fixed })
        const now = observe(afterEdits(list, edits), seen)
        const done = repair(before, now, mode, all)
        const repaired: Observation = {
          tasks: { kind: 'text', text: done.tasks ?? (now.tasks as { text: string }).text },
          changes: seen.changes.filter((change) => !done.files.restore.includes(change.path)),
          branch: 'ralph/demo',
          baseIsAncestor: true,
          marker: 'as-written',
          packageJson: done.files.restore.includes('package.json')
            ? { kind: 'text', text: '{"scripts":{"test":"vitest"}}' }
            : { kind: 'text', text: done.packageJson ?? seen.packageJson },
        }
        expect(judge(before, repaired, mode, all).illegal).toEqual([])
        expect(repair(before, repaired, mode, all).tasks).toBeNull()
        const read = readTasks(writeTasks(done.list ?? list))
        expect(read.ok ? brokenInvariants(read.value, { skipReview: given.skipReview }) : read.error).toEqual([])
      }),
      runs,
    )
  })

  it('what is legal is untouched', () => {
    fc.assert(
      fc.property(arbitraryList, arbitraryEdits, arbitraryMode, ruleset, (list, edits, mode, given) => {
        const text = afterEdits(list, edits)
        const now: Observation = { tasks: { kind: 'text', text } }
        const verdict = judge(takeSnapshot(list), now, mode, rules(given))
        const done = repair(takeSnapshot(list), now, mode, rules(given))
        if (verdict.illegal.length === 0 && verdict.unfinished.length === 0) expect(done.tasks).toBeNull()
        // Free fields survive whatever else is put back around them.
        const parsed = parseJson(text)
        const items = parsed.ok && isObject(parsed.value) ? (parsed.value['userStories'] as Json[]) : []
        for (const story of done.list?.userStories ?? []) {
          const now = items.find((item): item is JsonObject => isObject(item) && item['id'] === story.id)
          if (now === undefined) continue
          expect(story['estimate']).toEqual(now['estimate'])
          if (typeof now['priority'] === 'number') expect(story.priority).toBe(now['priority'])
        }
      }),
      runs,
    )
  })

  it('the hook, which has nothing to put back, blocks where the runner repairs, and nowhere else', () => {
    fc.assert(
      fc.property(arbitraryList, arbitraryEdits, arbitraryMode, ruleset, (list, edits, mode, given) => {
        const now: Observation = {
          tasks: { kind: 'text', text: afterEdits(list, edits) },
          ...(edits.length % 2 === 0 ? {} : { changes: [changed('src/a.ts'), changed('ralph/prd.md')], branch: 'x' }),
        }
        const runner = takeSnapshot(list, 'ralph/demo')
        const hook = snapshotOfMarker({ iterationMode: mode, branch: 'ralph/demo', ...snapshotForMarker(runner) })
        const blocks = (before: Snapshot | null) => judge(before, now, mode, rules(given)).illegal.length > 0
        expect(blocks(hook)).toBe(blocks(runner))
        const { illegal, unfinished } = judgeTurn(hook, now, mode, rules(given))
        const said = illegal.map(({ rule, story, message }) => ({ rule, story, message }))
        expect({ illegal: said, unfinished }).toEqual(judge(hook, now, mode, rules(given)))
      }),
      runs,
    )
  })

  it('nothing that was given is changed, and nothing throws', () => {
    const text = fc.oneof(
      fc.json({ maxDepth: 3 }),
      fc.string({ unit: 'binary', maxLength: 50 }),
      fc
        .json({ maxDepth: 2 })
        .map((story) => `{"userStories":[${story},{"id":"S0","splitInto":${story}}],"x":${story}}`),
    )
    fc.assert(
      fc.property(arbitraryList, text, text, arbitraryMode, ruleset, (list, tasks, packageJson, mode, given) => {
        const before = takeSnapshot(freeze(list), 'ralph/demo')
        const now: Observation = {
          tasks: { kind: 'text', text: tasks },
          packageJson: { kind: 'text', text: packageJson },
        }
        const all = rules({ ...given, ...fixed })
        expect(judge(before, now, mode, all)).toEqual(judge(before, now, mode, all))
        const done = repair(before, now, mode, all)
        expect(readTasks(writeTasks(done.list ?? list)).ok).toBe(true)
        expect(judge(null, now, mode, all).unfinished).toEqual([])
        const marker = readMarker(tasks)
        if (marker.ok) judge(snapshotOfMarker(marker.value.marker), now, mode, rulesOfMarker(marker.value.marker))
      }),
      runs,
    )
  })

  it('nothing that is taken out is lost', () => {
    fc.assert(
      fc.property(arbitraryList, arbitraryEdits, arbitraryMode, ruleset, (list, edits, mode, given) => {
        const text = afterEdits(list, edits)
        const done = repair(takeSnapshot(list), { tasks: { kind: 'text', text } }, mode, rules(given))
        const document = JSON.parse(text) as JsonObject
        const kept = (what: string, value: Json) =>
          done.rejected.some((item) => item.what === what && sameJson(item.value, value))
        if (done.rejected.some((item) => item.what === 'tasks.json')) return
        const out = done.list as unknown as JsonObject
        for (const [field, value] of Object.entries(document)) {
          if (field !== 'userStories' && !sameJson(out[field], value))
            expect(kept(`tasks.json.${field}`, value)).toBe(true)
        }
        const stories = new Map((out['userStories'] as JsonObject[]).map((story) => [story['id'], story]))
        for (const [index, item] of (document['userStories'] as Json[]).entries()) {
          if (kept(`userStories[${index}]`, item)) continue
          expect(isObject(item)).toBe(true)
          const id = (item as JsonObject)['id'] as string
          if (kept(id, item)) continue
          for (const [field, value] of Object.entries(item as JsonObject)) {
            const now = stories.get(id)?.[field]
            if (sameJson(now, value)) continue
            if (field === 'notes' && typeof value === 'string' && isBlank(value)) continue // filled, not taken out
            const rejected = done.rejected
              .filter((rejected) => rejected.what === `${id}.${field}`)
              .flatMap(({ value }) => value)
            for (const part of [value].flat()) expect([...rejected, ...[now].flat()]).toContainEqual(part)
          }
        }
      }),
      runs,
    )
  })
})

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value)
    for (const part of Object.values(value)) freeze(part)
  }
  return value
}

describe('over any number of iterations', () => {
  const step = fc.record({
    edits: arbitraryEdits,
    honest: fc.boolean(),
    succeeded: fc.boolean(),
    checksPass: fc.boolean(),
  })
  const scenario = fc.record({
    start: arbitraryList,
    skipReview: fc.boolean(),
    reviewCap: fc.constantFrom(1, 2, 5),
    atReviewCap: fc.constantFrom('approve' as const, 'stop' as const),
    steps: fc.array(step, { maxLength: 12 }),
  })

  it('no story is approved without a successful review of it, and no state is a dead end', () => {
    fc.assert(
      fc.property(scenario, ({ start, skipReview, reviewCap, atReviewCap, steps }) => {
        let list = submitSplitStories(start, { skipReview, before: null }).list
        for (const step of steps) {
          const next = selectStory(list, { skipReview })
          expectWayOn(list, skipReview)
          if (next.kind !== 'iterate') break
          const given = rules({ skipReview, reviewCap, story: next.story.id, agentSucceeded: step.succeeded })
          const text = afterEdits(step.honest ? honestMove(list, next, skipReview) : list, step.edits)
          const done = repair(takeSnapshot(list), { tasks: { kind: 'text', text } }, next.mode, given)
          const judged = done.list as TaskList
          for (const story of newlyApproved(list, judged)) {
            expect([next.mode, done.move, step.succeeded]).toEqual([
              'review',
              { story: story.id, to: 'approved' },
              true,
            ])
          }
          if (!skipReview)
            expect(judged.userStories.filter((story) => story.passes && story.reviewStatus !== 'approved')).toEqual([])
          const settled = runnersMove(judged, done.move, {
            skipReview,
            reviewCap,
            atReviewCap,
            checksPass: step.checksPass,
          })
          for (const story of newlyApproved(judged, settled.list)) {
            expect([next.mode, done.move]).toEqual(['review', { story: story.id, to: 'changes_requested' }])
            expect(story.reviewCount).toBeGreaterThanOrEqual(reviewCap)
          }
          if (settled.stopped) break
          const submitted = submitSplitStories(settled.list, { skipReview, before: list })
          // What a review has just rejected is to be fixed, whoever its parts are.
          expect(submitted.moved.filter((id) => done.move?.story === id)).toEqual([])
          list = submitted.list
        }
        expectHonestEnd(list, skipReview)
        expectHonestEnd(submitSplitStories(requireReview(list).list, { skipReview: false, before: null }).list, false)
      }),
      runs,
    )
  })

  const newlyApproved = (before: TaskList, after: TaskList): Story[] => {
    const old = new Map(before.userStories.map((story) => [story.id, story.reviewStatus]))
    return after.userStories.filter((story) => story.reviewStatus === 'approved' && old.get(story.id) !== 'approved')
  }
})

interface RunnerOptions {
  readonly skipReview: boolean
  readonly reviewCap: number
  readonly atReviewCap: 'approve' | 'stop'
  readonly checksPass: boolean
}

/** What the runner does after the checks, as the loop will. */
function runnersMove(list: TaskList, move: { story: string; to: string } | null, options: RunnerOptions) {
  const story = list.userStories.find(({ id }) => id === move?.story)
  if (story === undefined || move === null) return { list, stopped: false }
  if (move.to === 'approved' && !options.checksPass) {
    return { list: rejectForChecks(list, story.id, 'npm test failed'), stopped: false }
  }
  if (move.to === 'passed_unreviewed' && !options.checksPass)
    return { list: reopenForChecks(list, story.id), stopped: false }
  if (move.to !== 'changes_requested') return { list, stopped: false }
  const after = afterRejection(story, options)
  return { list: after === 'approve-at-cap' ? approveAtCap(list, story.id) : list, stopped: after === 'review_cap' }
}

function honestMove(list: TaskList, next: { mode: IterationMode; story: Story }, skipReview: boolean): TaskList {
  const { id, reviewCount, notes } = next.story
  switch (next.mode) {
    case 'implement':
      return edit(list, id, { ...(skipReview ? stage.passed : stage.submitted), notes: `${notes ?? ''} Built.` })
    case 'review':
      return edit(list, id, { ...stage.approved, reviewCount: reviewCount + 1, notes: `${notes ?? ''} Reviewed.` })
    case 'review-fix':
      return edit(list, id, { reviewStatus: 'needs_review', reviewFeedback: '' })
    default:
      return unreachable(next.mode)
  }
}

/** Someone can go on: a legal move that changes something, everything done, or a person who is asked for. */
function expectWayOn(list: TaskList, skipReview: boolean): void {
  const next = selectStory(list, { skipReview })
  if (next.kind === 'done') return
  if (next.kind === 'waiting') {
    expect(list.userStories.some((story) => isBlocked(story) && !isDone(story, skipReview))).toBe(true)
    return
  }
  const moved = honestMove(list, next, skipReview)
  const given = rules({ skipReview, story: next.story.id })
  expect(judge(takeSnapshot(list), { tasks: seen(moved) }, next.mode, given)).toEqual({ illegal: [], unfinished: [] })
  expect(moved).not.toEqual(list)
}

/** From here an honest agent gets to the end, or to a story that only a person can unblock. */
function expectHonestEnd(start: TaskList, skipReview: boolean): void {
  let list = start
  for (let left = 3 * start.userStories.length + 1; left > 0; left--) {
    expectWayOn(list, skipReview)
    const next = selectStory(list, { skipReview })
    if (next.kind !== 'iterate') return
    list = submitSplitStories(honestMove(list, next, skipReview), { skipReview, before: list }).list
  }
  expect.fail(`an honest agent does not get to the end of ${JSON.stringify(start)}`)
}
