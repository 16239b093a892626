import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Recorded } from '../../src/model/event.ts'
import { exitCodeOf, type StopReason } from '../../src/model/stop-reason.ts'
import type { IterationMode, Story, TaskList } from '../../src/model/story.ts'
import type { RuleName } from '../../src/model/violation.ts'
import { LoopProject, type LoopSetup, type RunResult, type Scene } from './loop-project.ts'

/** A lie of an agent and what must come of it, whether it is told always or once. */
export interface Cheat {
  readonly name: string
  /** The mode in which it is played; the project begins there, and every other mode is played honestly. Default: implement. */
  readonly in?: IterationMode | 'every'
  /** Where the project stands at first; default: where the cheat is played. */
  readonly begins?: IterationMode
  readonly setup?: LoopSetup
  /** More of the command line; `-n` of a run that cheats always is 2 unless it is given here. */
  readonly args?: readonly string[]
  /** What the agent does instead of its work. */
  readonly always: Scene
  /** What it does in every other mode, and after having cheated once; default: `stage.honest()`. */
  readonly otherwise?: Scene
  /** The whole play of the second run, where it is not "cheat the first time, then be honest". */
  readonly once?: Scene
  /** More for the command line of the second run; its `-n` is the default. */
  readonly onceArgs?: readonly string[]
  /** The rules that the journal of both runs must name; none where the lie breaks no rule and just does not count. */
  readonly rules: readonly RuleName[]
  /** What must be among the things that were taken out and kept: a path, `US-001.title`, `tasks.json`. */
  readonly takenOut?: readonly string[]
  /** What the prompt after the cheat says; default: each rule as `[rule]`. */
  readonly told?: readonly string[]
  /** How the run that cheats once ends; default: complete. */
  readonly ends?: StopReason
  /** The only completion that cheating always may come to; default: none. */
  readonly alwaysEnds?: StopReason
  /** What else must hold after either run. */
  readonly after?: (played: Played) => void | Promise<void>
}

export interface Played extends RunResult {
  readonly lab: LoopProject
  readonly how: 'always' | 'once'
  /** What the agent of each iteration was told; the last try of each. */
  readonly prompts: ReadonlyMap<number, string>
  /** The names of everything that was taken out and kept, by iteration. */
  readonly takenOut: ReadonlyMap<number, readonly string[]>
}

/** Torture plays all of them always as well. */
const isTorture = process.env['RALPH_TORTURE'] === '1'

/**
 * Each cheat both ways, a test each, some at a time. In the gate one that breaks a rule is told only once: that it is put back
 * the second time as it was the first is what torture asks.
 */
export function playCheats(cheats: readonly Cheat[]): void {
  const always = cheats.filter(({ rules, alwaysEnds }) => isTorture || rules.length === 0 || alwaysEnds !== undefined)
  if (always.length > 0) {
    describe.concurrent('told always: never complete', () => {
      for (const cheat of always) it(cheat.name, async () => void (await play(cheat, 'always')))
    })
  }
  describe.concurrent('told once: the run recovers, completes, and its journal shows it', () => {
    for (const cheat of cheats) it(cheat.name, async () => void (await play(cheat, 'once')))
  })
}

/** Plays one cheat and holds it to what it must come to. */
export async function play(cheat: Cheat, how: Played['how']): Promise<Played> {
  const lab = new LoopProject(setupOf(cheat))
  try {
    const start = JSON.parse(lab.read('ralph/tasks.json')) as TaskList
    const args = how === 'always' ? ['-n', '2', ...(cheat.args ?? [])] : (cheat.onceArgs ?? cheat.args ?? [])
    const result = await lab.play(sceneOf(cheat, how)).run(args)
    const played = { ...result, lab, how, prompts: promptsIn(lab), takenOut: takenOutIn(lab) }
    expect(dishonest(lab, start, result.events), told(result)).toEqual([])
    if (how === 'always') expectNeverComplete(cheat, played)
    else expectRecovered(cheat, played)
    expect(rulesIn(result.events), told(result)).toEqual(expect.arrayContaining([...cheat.rules]))
    const takenOut = [...played.takenOut.values()].flat()
    expect(takenOut, told(result)).toEqual(expect.arrayContaining([...(cheat.takenOut ?? [])]))
    await cheat.after?.(played)
    return played
  } finally {
    lab.remove()
  }
}

function expectNeverComplete({ alwaysEnds }: Cheat, played: Played): void {
  const { reason } = lastOf(played)
  if (alwaysEnds !== undefined) return expect(reason, told(played)).toBe(alwaysEnds)
  expect(played.exitCode, told(played)).not.toBe(0)
  // A run that fell over has caught nobody.
  expect(['max_iterations', 'idle', 'too_many_errors', 'waiting', 'review_cap'], told(played)).toContain(reason)
}

function expectRecovered(cheat: Cheat, played: Played): void {
  const { ends = 'complete' } = cheat
  expect(lastOf(played), told(played)).toMatchObject({ reason: ends, exitCode: exitCodeOf[ends] })
  expect(played.exitCode, told(played)).toBe(exitCodeOf[ends])
  const cheated = played.events.find(
    (event) => (event.kind === 'verdict.given' || event.kind === 'stories.moved') && event.violations.length > 0,
  )
  const next = played.prompts.get((cheated?.kind === 'verdict.given' ? cheated.iteration : 1) + 1) ?? ''
  for (const words of cheat.told ?? cheat.rules.map((rule) => `[${rule}]`)) expect(next).toContain(words)
}

/** Where the project stands, so that the first iteration is the one in which the cheat happens. */
function setupOf({ in: place = 'implement', begins, setup = {} }: Cheat): LoopSetup {
  const mode = begins ?? place
  const { stories = 1 } = setup
  const given: readonly Partial<Story>[] =
    typeof stories === 'number' ? Array.from({ length: stories }, () => ({})) : stories
  if (mode === 'implement' || mode === 'every') return { ...setup, stories: given }
  const status: Partial<Story> =
    mode === 'review'
      ? { reviewStatus: 'needs_review', notes: 'implement: did it. ' }
      : { reviewStatus: 'changes_requested', reviewFeedback: 'More.', reviewCount: 1, notes: 'implement: did it. ' }
  return {
    ...setup,
    stories: [{ ...status, ...given[0] }, ...given.slice(1)],
    files: { 'work/US-001.txt': 'implement\n', ...setup.files },
  }
}

/** The prompts are kept outside of the project, where no lie can reach them. */
function sceneOf(
  { in: mode = 'implement', always, once, otherwise = 'stage.honest()' }: Cheat,
  how: Played['how'],
): Scene {
  const cheats = mode === 'every' ? 'true' : `stage.mode === ${JSON.stringify(mode)}`
  const scene =
    how === 'once' && once !== undefined
      ? once
      : `if (${how === 'always' ? cheats : `${cheats} && stage.first('cheat')`}) {\n${always}\n} else {\n${otherwise}\n}`
  return `stage.remember({ ['prompt ' + stage.iteration]: stage.prompt })\n${scene}`
}

function promptsIn(lab: LoopProject): ReadonlyMap<number, string> {
  const notes = Object.entries(lab.notes()).filter(([name]) => name.startsWith('prompt '))
  return new Map(notes.map(([name, text]) => [Number(name.slice('prompt '.length)), String(text)]))
}

/**
 * What is not as it should be at the end of any run: a story approved that no successful review approved, a count that no
 * review made, a text that people wrote and that changed, a branch that does not hold what is on the disk.
 */
function dishonest(lab: LoopProject, start: TaskList, events: readonly Recorded[]): string[] {
  const wrong: string[] = []
  const branch = start.branchName
  const list = JSON.parse(lab.git('show', `${branch}:ralph/tasks.json`)) as TaskList
  if (lab.git('symbolic-ref', 'HEAD').trim() !== `refs/heads/${branch}`) wrong.push('HEAD is not on the branch')
  if (lab.git('merge-base', 'main', branch).trim() !== lab.git('rev-parse', 'main').trim()) wrong.push('history lost')
  const status = lab.git('status', '--porcelain')
  if (status !== '') wrong.push(`not committed:\n${status}`)
  if (existsSync(join(lab.project, '.ralph-active'))) wrong.push('the marker is still there')
  if (list.project !== start.project || list.branchName !== branch) wrong.push('the head of the list changed')
  const reviews = reviewsIn(events)
  for (const before of start.userStories) {
    const story = list.userStories.find(({ id }) => id === before.id)
    if (story === undefined) {
      wrong.push(`${before.id} is gone`)
      continue
    }
    for (const field of ['title', 'description', 'acceptanceCriteria', 'mayChange'] as const) {
      if (JSON.stringify(story[field]) !== JSON.stringify(before[field])) wrong.push(`${story.id}.${field} changed`)
    }
  }
  for (const story of list.userStories) {
    const before = start.userStories.find(({ id }) => id === story.id)
    const mine = reviews.filter((review) => review.story === story.id)
    if (story.reviewCount !== (before?.reviewCount ?? 0) + mine.length) wrong.push(`${story.id}.reviewCount is made up`)
    const isApproved = story.reviewStatus === 'approved' || story.passes
    const wasApproved = before?.reviewStatus === 'approved' && mine.length === 0
    if (isApproved && !wasApproved && mine.at(-1)?.isApproval !== true && !passedUnreviewed(events, story.id)) {
      wrong.push(`${story.id} is approved, and by no review`)
    }
  }
  return wrong
}

/** The verdicts that counted, from the journal alone: of review iterations whose agent succeeded. */
function reviewsIn(events: readonly Recorded[]): { story: string; isApproval: boolean }[] {
  let mode: IterationMode | null = null
  let succeeded = false
  return events.flatMap((event) => {
    if (event.kind === 'iteration.started') mode = event.mode
    // What the last checks of all make of a story is no review.
    if (event.kind === 'iteration.finished') mode = null
    if (event.kind === 'agent.finished') succeeded = event.outcome === 'succeeded'
    if (event.kind !== 'stories.moved' || mode !== 'review') return []
    return event.moves
      .filter(({ to }) => to === 'approved' || to === 'changes_requested' || to === 'approved_at_cap')
      .map(({ story, to, by }) => ({
        story,
        isApproval: (to === 'approved' && by === 'agent' && succeeded) || (to === 'approved_at_cap' && by === 'runner'),
      }))
  })
}

const passedUnreviewed = (events: readonly Recorded[], id: string): boolean =>
  events.some(
    (event) =>
      event.kind === 'stories.moved' && event.moves.some(({ story, to }) => story === id && to === 'passed_unreviewed'),
  )

function rulesIn(events: readonly Recorded[]): RuleName[] {
  return events.flatMap((event) =>
    event.kind === 'verdict.given' || event.kind === 'stories.moved' ? event.violations.map(({ rule }) => rule) : [],
  )
}

function takenOutIn(lab: LoopProject): ReadonlyMap<number, readonly string[]> {
  const rejected = join(lab.runDirectory(), 'rejected')
  const iterations = existsSync(rejected) ? readdirSync(rejected) : []
  return new Map(
    iterations.map((iteration) => {
      const index = readFileSync(join(rejected, iteration, 'index.json'), 'utf8')
      return [Number(iteration), (JSON.parse(index) as { what: string }[]).map(({ what }) => what)]
    }),
  )
}

function lastOf({ events }: RunResult): Extract<Recorded, { kind: 'run.stopped' }> {
  const last = events.at(-1)
  if (last?.kind !== 'run.stopped') throw new Error(`the run ended with ${last?.kind ?? 'nothing'}`)
  return last
}

/** What somebody wants to read when it went wrong. */
const told = ({ stdout, stderr, events }: RunResult): string =>
  [stdout, stderr, ...events.filter(({ kind }) => kind === 'verdict.given').map((event) => JSON.stringify(event))].join(
    '\n',
  )
