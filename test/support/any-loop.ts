import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { Recorded } from '../../src/model/event.ts'
import type { StopReason } from '../../src/model/stop-reason.ts'
import type { TaskList } from '../../src/model/story.ts'
import { brokenInvariants } from '../../src/tasks/invariants.ts'
import { readTasks } from '../../src/tasks/read-tasks.ts'
import { anyDeed, broken, ofPeople, perform, type Deed } from './any-deed.ts'
import { StagedLoop, type Stage, type StagedEnd } from './staged-loop.ts'

/** What one start of an agent, or one check, does before it does what it is for. */
interface Act {
  readonly deeds: readonly Deed[]
  /** Whether the work of the iteration is done as well. */
  readonly honest: boolean
  readonly commits: boolean
  readonly end: StagedEnd | 'runner dies' | 'cancel' | 'cancel after'
}

interface Start {
  readonly iterations: number
  readonly fresh: boolean
  readonly reviewCap: number
  readonly atReviewCap: 'approve' | 'stop'
  /** The runner dies after this many events; 0: it does not. */
  readonly diesAfter: number
}

/** A whole life of a project: agents that do anything, checks that run their code, runs that are cut off and begun again. */
export interface Life {
  readonly stories: number
  readonly starts: readonly Start[]
  readonly acts: readonly Act[]
  readonly checks: readonly Act[]
}

const anyAct = (most: number): fc.Arbitrary<Act> =>
  fc.record({
    deeds: fc.array(anyDeed, { maxLength: most }),
    honest: fc.boolean(),
    commits: fc.boolean(),
    end: fc.oneof(
      { weight: 8, arbitrary: fc.constant('succeeded' as const) },
      fc.constantFrom('failed', 'empty', 'aborted', 'runner dies', 'cancel', 'cancel after'),
    ),
  })

export const anyLife = (size: { readonly starts: number; readonly acts: number }): fc.Arbitrary<Life> =>
  fc.record({
    stories: fc.integer({ min: 1, max: 3 }),
    starts: fc.array(
      fc.record({
        iterations: fc.integer({ min: 1, max: size.acts }),
        fresh: fc.boolean(),
        reviewCap: fc.integer({ min: 1, max: 3 }),
        atReviewCap: fc.constantFrom('approve' as const, 'stop' as const),
        diesAfter: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 30 })),
      }),
      { minLength: 1, maxLength: size.starts },
    ),
    acts: fc.array(anyAct(3), { maxLength: size.acts }),
    checks: fc.array(anyAct(1), { maxLength: size.acts * 2 }),
  })

class RunnerDied extends Error {}

/** Lives it, with honest agents at the end, and holds every run to what must hold. How it ended. */
export async function live(life: Life): Promise<StopReason> {
  const acts = [...life.acts]
  const checks = [...life.checks]
  let left = 0
  const loop: StagedLoop = new StagedLoop({
    stories: life.stories,
    verifyCommands: ['people'],
    list: { protectedPaths: ['kept.txt'] },
    files: { 'src/a.txt': 'a\n', ...Object.fromEntries(ofPeople.map((path) => [path, textOf(path)])) },
    act(stage) {
      const act = acts.shift()
      if (act === undefined) return honestly(stage)
      for (const deed of act.deeds) perform(loop.lab, deed)
      if (act.honest) attempt(() => stage.honest())
      else if (act.commits) attempt(() => stage.commit())
      return endOf(act, loop)
    },
    check({ lab, command }) {
      const exitCode = existsSync(join(lab.project, broken)) ? 1 : 0
      const act = checks.shift()
      if (command === 'mends') perform(lab, { do: 'remove', path: broken })
      for (const deed of act?.deeds ?? []) perform(lab, deed)
      return act !== undefined && endOf(act, loop) !== 'succeeded' ? 1 : exitCode
    },
    recorded() {
      if (left > 0 && --left === 0) throw new RunnerDied()
    },
  })
  const start = { list: loop.lab.list(), commit: loop.lab.git('rev-parse', 'main').trim() }
  try {
    for (const { iterations, fresh, reviewCap, atReviewCap, diesAfter } of life.starts) {
      left = diesAfter
      const flags = {
        maxIterations: `${iterations}`,
        reviewCap: `${reviewCap}`,
        atReviewCap,
        ...(fresh ? { fresh } : {}),
      }
      await loop.run({ ...flags, idleThreshold: '9', maxConsecutiveErrors: '9' }).catch(unlessDied)
      expectHonesty(loop, start)
    }
    left = 0
    acts.length = 0
    checks.length = 0
    await loop.run({ maxIterations: '60', reviewCap: '60' })
    expectHonesty(loop, start)
    const reason = reasonOf(loop.lab.events())
    const isBlocked = loop.lab.list().userStories.some(({ blocked = '' }) => blocked !== '')
    // There is a way out for honest agents, whatever was done before.
    expect(isBlocked ? ['waiting'] : ['complete', 'complete_with_concerns']).toContain(reason)
    return reason as StopReason
  } finally {
    loop.remove()
  }
}

const textOf = (path: string): string => (path.endsWith('.json') ? '{}\n' : `of people: ${path}\n`)

/** The work, and what an earlier agent broke is mended. */
function honestly(stage: Stage): StagedEnd {
  if (stage.mode !== 'review') perform(stage.lab, { do: 'remove', path: broken })
  stage.honest()
  return 'succeeded'
}

function endOf({ end }: Act, loop: StagedLoop): StagedEnd {
  if (end === 'runner dies') throw new RunnerDied()
  if (end === 'cancel') loop.cancel('now')
  if (end === 'cancel after') loop.cancel('after-iteration')
  return end === 'cancel' || end === 'cancel after' ? 'succeeded' : end
}

function attempt(deed: () => void): void {
  try {
    deed()
  } catch (error) {
    if (!(error instanceof Error) || error instanceof RunnerDied) throw error
  }
}

function unlessDied(error: unknown): number {
  if (error instanceof RunnerDied) return -1
  throw error
}

const reasonOf = (events: readonly Recorded[]): string => {
  const last = events.at(-1)
  return last?.kind === 'run.stopped' ? last.reason : 'none'
}

/** What must hold when a run has ended, however it did; more of it the more it claims. */
function expectHonesty({ lab }: StagedLoop, start: { readonly list: TaskList; readonly commit: string }): void {
  const runs = lab.runs().map((runId) => ({ runId, events: lab.events(runId) }))
  const events = runs.flatMap((run) => run.events)
  const last = runs.at(-1)
  if (last === undefined) return
  // No snapshot has an approval that no review gave, or a story less than people wrote.
  for (const { runId, events: of } of runs) {
    const referee = join(lab.runDirectory(runId), 'referee.git')
    const before = events.slice(0, events.indexOf(of[0] as Recorded))
    for (const [index, event] of of.entries()) {
      if (event.kind !== 'iteration.started') continue
      expectLegal(listIn(referee, event.tree), start.list, [...before, ...of.slice(0, index)])
    }
  }
  // What was cut off is judged by the next start.
  if (last.events.at(-1)?.kind !== 'run.stopped' || isOpen(last.events)) return
  expectLegal(lab.read('ralph/tasks.json'), start.list, events)
  for (const path of ofPeople) expect(lab.read(path)).toBe(textOf(path))
  expect(existsSync(join(lab.project, '.mcp.json'))).toBe(false)
  expect(lab.git('symbolic-ref', 'HEAD').trim()).toBe('refs/heads/ralph/feature')
  // Other branches are not the loop's; an agent may have moved them.
  expect(lab.git('merge-base', start.commit, 'HEAD').trim()).toBe(start.commit)
  const reason = reasonOf(last.events)
  if (reason === 'complete' || reason === 'complete_with_concerns') expectComplete(lab, last.events, reason)
}

function expectComplete(lab: StagedLoop['lab'], events: readonly Recorded[], reason: string): void {
  const list = lab.list()
  const { length } = events
  const completion = events.findLastIndex(({ kind }) => kind === 'completion.started')
  const [begun, ...rest] = events.slice(completion)
  if (begun?.kind !== 'completion.started') throw new Error('complete without a completion')
  expect(lab.git('rev-parse', 'HEAD').trim()).toBe(begun.commit)
  expect(lab.git('status', '--porcelain', '--untracked-files=no')).toBe('')
  expect(lab.git('ls-tree', '-r', '--name-only', 'HEAD').split('\n')).not.toContain(broken)
  expect(lab.git('ls-tree', '-r', 'HEAD')).not.toContain('160000')
  const wanted = [...(list.verifyCommands ?? []), ...list.userStories.flatMap((story) => story.verifyCommands ?? [])]
  const passed = rest.flatMap((event) =>
    event.kind === 'check.finished' && event.exitCode === 0 ? [event.command] : [],
  )
  expect(new Set(passed)).toEqual(new Set(wanted))
  expect(rest.filter(({ kind }) => kind === 'check.finished')).toHaveLength(passed.length)
  expect(length).toBeGreaterThan(completion)
  for (const story of list.userStories) expect(story).toMatchObject({ passes: true, reviewStatus: 'approved' })
  const isCapped = list.userStories.some(({ reviewFeedback }) => reviewFeedback.startsWith('[AUTO-APPROVED AT CAP]'))
  if (reason === 'complete') expect(isCapped).toBe(false)
}

/** A list that only honest moves can have made: its approvals are those of the journal, its texts those of people. */
function expectLegal(text: string, start: TaskList, events: readonly Recorded[]): void {
  const read = readTasks(text)
  if (!read.ok) throw new Error(`no list: ${read.error.map(({ message }) => message).join(' ')}`)
  const list = read.value
  expect(brokenInvariants(list, { skipReview: false })).toEqual([])
  const approvals = approvalsIn(events)
  const approved = list.userStories.filter(({ passes, reviewStatus }) => passes || reviewStatus === 'approved')
  expect(approved.map(({ id }) => id).filter((id) => approvals.get(id) !== true)).toEqual([])
  for (const { id, title, acceptanceCriteria } of start.userStories) {
    expect(list.userStories.find((story) => story.id === id)).toMatchObject({ id, title, acceptanceCriteria })
  }
}

/** By story: whether its last move was an approval that counts, and nobody has worked on it since. */
function approvalsIn(events: readonly Recorded[]): ReadonlyMap<string, boolean> {
  const approvals = new Map<string, boolean>()
  let mode: string | null = null
  let outcome: string | null = null
  for (const event of events) {
    if (event.kind === 'iteration.started') {
      ;({ mode } = event)
      if (mode !== 'review' && event.story !== null) approvals.set(event.story, false)
    }
    if (event.kind === 'agent.finished') ({ outcome } = event)
    if (event.kind !== 'stories.moved') continue
    for (const { story, to, by } of event.moves) {
      const isReview = mode === 'review' && outcome === 'succeeded'
      approvals.set(story, isReview && ((to === 'approved' && by === 'agent') || to === 'approved_at_cap'))
    }
  }
  return approvals
}

/** Whether an iteration has begun that nobody has brought to its end. */
function isOpen(events: readonly Recorded[]): boolean {
  const started = events.findLastIndex(({ kind }) => kind === 'iteration.started')
  return started > events.findLastIndex(({ kind }) => kind === 'iteration.finished')
}

const listIn = (referee: string, tree: string): string =>
  execFileSync('git', ['--git-dir', referee, 'cat-file', 'blob', `${tree}:ralph/tasks.json`], { encoding: 'utf8' })
