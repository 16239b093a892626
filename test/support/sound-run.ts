import { expect } from 'vitest'
import type { Recorded } from '../../src/model/event.ts'
import type { LoopProject } from './loop-project.ts'

/**
 * What must hold of a run that has completed, however often it was cut off: every start was judged exactly once, and every
 * story was approved by a review that came after the last work on it.
 */
export function expectSound(lab: Pick<LoopProject, 'list' | 'git' | 'has'>, events: readonly Recorded[]): void {
  expect(events.at(-1)).toMatchObject({ kind: 'run.stopped', reason: 'complete', exitCode: 0 })
  expect(startsNotJudgedOnce(events)).toEqual([])
  for (const { id, passes, reviewStatus } of lab.list().userStories) {
    expect({ id, passes, reviewStatus }).toEqual({ id, passes: true, reviewStatus: 'approved' })
    expect(approvalOf(id, events), `${id} was approved by a review after the last work on it`).not.toBeNull()
  }
  expect(lab.git('symbolic-ref', 'HEAD').trim()).toBe('refs/heads/ralph/feature')
  expect(lab.git('status', '--porcelain', '--untracked-files=no')).toBe('')
  expect(lab.git('show', 'HEAD:ralph/prd.md')).toBe('# What is wanted\n')
  expect(JSON.parse(lab.git('show', 'HEAD:ralph/tasks.json'))).toEqual(lab.list())
  expect(lab.has('.ralph-active')).toBe(false)
}

/** A start, its end, its verdict and its close, each once and in this order. */
function startsNotJudgedOnce(events: readonly Recorded[]): string[] {
  const order = events
    .filter(({ kind }) => kind in letters)
    .map(({ kind }) => letters[kind])
    .join('')
  return order.split(/(?<=c)/).filter((one) => one !== 'sfvc')
}

const letters: Readonly<Record<string, string>> = {
  'iteration.started': 's',
  'agent.finished': 'f',
  'verdict.given': 'v',
  'iteration.finished': 'c',
}

/** The review whose approval stands: by an agent that succeeded, and nobody worked on the story later. */
function approvalOf(story: string, events: readonly Recorded[]): number | null {
  let mode: string | null = null
  let outcome: string | null = null
  let at: string | null = null
  let approval: number | null = null
  for (const event of events) {
    if (event.kind === 'iteration.started') {
      ;({ mode, story: at } = event)
      outcome = null
      if (at === story && mode !== 'review') approval = null
    }
    if (event.kind === 'agent.finished') outcome = event.outcome
    if (event.kind !== 'stories.moved') continue
    const move = event.moves.find((one) => one.story === story)
    if (move === undefined) continue
    const isApproval = move.to === 'approved' && move.by === 'agent'
    approval = isApproval && mode === 'review' && at === story && outcome === 'succeeded' ? event.iteration : null
  }
  return approval
}
