import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { IterationMode, Story, TaskList } from '../../../src/model/story.ts'
import type { Marker } from '../../../src/tasks/marker.ts'
import { MarkedProject } from '../../support/marked-project.ts'
import { scratch } from '../../support/scratch.ts'
import { edit, list, stage, story } from '../../support/task-list.ts'

let root: string
beforeEach(() => {
  root = scratch()
})

const open = list([story('A'), story('B')])

/** An iteration that leaves this list, all committed; what the hook says to it. */
function leave(before: TaskList, mode: IterationMode, after: TaskList, marker: Partial<Marker> = {}): string | null {
  const project = new MarkedProject(root, before, mode, marker)
  project.list(after)
  project.commit()
  const end = project.end()
  expect({ code: end.code, err: end.err }).toEqual({ code: 0, err: '' })
  return end.reason
}

describe('the schema', () => {
  it('lets a valid list pass', () => expect(leave(open, 'implement', open)).toBeNull())

  it('blocks a list that is no JSON', () => {
    const project = new MarkedProject(root, open)
    project.write('ralph/tasks.json', '{"project": ')
    expect(project.end().reason).toMatch(
      /\n1\. tasks\.json is not valid JSON .* → git checkout [0-9a-f]{40} -- ralph\/tasks\.json/,
    )
  })

  it('blocks a missing list', () => {
    const project = new MarkedProject(root, open)
    rmSync(join(project.project, 'ralph/tasks.json'))
    expect(project.end().reason).toContain('tasks.json is missing. Put it back.')
  })

  it('blocks a negative count, with the value to set', () => {
    const after = edit(open, 'A', { reviewCount: -1 })
    expect(leave(open, 'implement', after)).toMatch(
      /must be a whole number from 0, not -1\. → A: set "reviewCount" to 0\./,
    )
  })
})

describe('the invariants, by a marker without a snapshot', () => {
  const seedMarker = { iterationMode: undefined, preIterationSnapshot: undefined } as unknown as Partial<Marker>
  const judged = (fields: Partial<Story>, marker: Partial<Marker> = {}) => {
    const project = new MarkedProject(root, open, 'implement', { ...seedMarker, ...marker })
    project.list(edit(open, 'A', fields))
    project.commit()
    const { reason, err } = project.end()
    expect(err).toContain('no preIterationSnapshot: transitions are not checked, only the state')
    return reason
  }

  it.each([null, 'needs_review', 'changes_requested'] as const)('blocks what passes and is %s', (reviewStatus) => {
    expect(judged({ passes: true, reviewStatus })).toContain(`reviewStatus is '${reviewStatus}', not 'approved'`)
  })

  it('lets an approved story pass', () => expect(judged(stage.approved)).toBeNull())

  it('blocks a rejection without feedback', () => {
    expect(judged({ reviewStatus: 'changes_requested' })).toContain('feedback is required')
  })

  it('blocks an approval that does not pass', () => {
    expect(judged({ reviewStatus: 'approved' })).toContain('out of sync')
  })

  it('blocks a negative count', () => expect(judged({ reviewCount: -1 })).toContain('reviewCount must be'))

  it('skips them all without reviews', () => expect(judged(stage.passed, { skipReview: true })).toBeNull())
})

describe('an implement iteration', () => {
  it.each<[string, Partial<Story>, string]>([
    ['passes a story', stage.passed, '"passes" to false, "reviewStatus" to "needs_review"'],
    ['approves a story', { reviewStatus: 'approved' }, '"reviewStatus" to "needs_review"'],
    [
      'approves it in every field',
      stage.approved,
      '"passes" to false, "reviewStatus" to "needs_review", "reviewCount" to 0',
    ],
    ['counts a review', { reviewCount: 1 }, '"reviewCount" to 0'],
  ])('that %s is blocked', (_, fields, set) => {
    const reason = leave(open, 'implement', edit(open, 'A', fields))
    expect(reason).toContain('Implement iterations cannot set passes=true or approve stories.')
    expect(reason).toContain(`→ A: set ${set}`)
  })

  it('may submit its story', () => expect(leave(open, 'implement', edit(open, 'A', stage.submitted))).toBeNull())

  it('may add a clean story', () => {
    expect(leave(open, 'implement', list([...open.userStories, story('C')]))).toBeNull()
  })

  it('may add none that passes', () => {
    const reason = leave(open, 'implement', list([...open.userStories, story('C', stage.passed)]))
    expect(reason).toContain('Story C is new and must start with passes=false')
  })

  it('may pass a story without reviews', () => {
    expect(leave(open, 'implement', edit(open, 'A', stage.passed), { skipReview: true })).toBeNull()
  })
})

describe('a review iteration', () => {
  const before = list([story('A', stage.resubmitted), story('B', stage.submitted)])
  const approved = { ...stage.approved, reviewCount: 2 }

  it('may approve', () => expect(leave(before, 'review', edit(before, 'A', approved))).toBeNull())

  it('may reject', () => {
    expect(leave(before, 'review', edit(before, 'A', { ...stage.rejected, reviewCount: 2 }))).toBeNull()
  })

  it('must count', () => {
    const reason = leave(before, 'review', edit(before, 'A', { ...approved, reviewCount: 1 }))
    expect(reason).toMatch(/reviewCount must go up by exactly 1 \(1 → 1\).* → A: set "reviewCount" to 2\./)
  })

  it('judges one story only', () => {
    const reason = leave(before, 'review', edit(edit(before, 'A', approved), 'B', stage.approved))
    expect(reason).toMatch(
      /a review may only judge one story \(A\).* → B: set "passes" to false, "reviewStatus" to "needs_review", "reviewCount" to 0\./,
    )
  })

  it('must come to a verdict', () => {
    expect(leave(before, 'review', before)).toContain('Review iteration without a verdict on story A')
  })

  it('hears of code that it committed, and not of the approval that is void for that', () => {
    const project = new MarkedProject(root, before, 'review')
    project.write('src/app.ts', 'export const one = 2\n')
    project.write('new file.ts', '')
    project.list(edit(before, 'A', approved))
    project.commit()
    const { reason } = project.end()
    expect(reason).toContain(`→ git checkout ${project.base} -- src/app.ts\n`)
    expect(reason).toContain("→ rm -r -- 'new file.ts'\n")
    expect(reason).not.toContain('does not count')
    project.git('checkout', '-q', project.base, '--', 'src/app.ts')
    rmSync(join(project.project, 'new file.ts'))
    project.commit()
    expect(project.end().reason).toBeNull()
  })
})

describe('a review-fix iteration', () => {
  const before = list([story('A', stage.rejected)])

  it('may submit again', () =>
    expect(leave(before, 'review-fix', edit(before, 'A', { ...stage.resubmitted, reviewFeedback: '' }))).toBeNull())

  it.each<[string, Partial<Story>]>([
    ['passes', { passes: true }],
    ['counts', { ...stage.resubmitted, reviewCount: 2 }],
  ])('that %s is blocked', (_, fields) => {
    const reason = leave(before, 'review-fix', edit(before, 'A', { reviewFeedback: '', ...fields }))
    expect(reason).toContain('Review-fix iterations cannot approve stories.')
    expect(reason).toMatch(/→ A: set .*"reviewStatus" to "needs_review"|→ A: set "reviewCount" to 1\./)
  })
})

describe('files', () => {
  it.each<[string, string, string]>([
    ['prd.md', 'ralph/prd.md', 'only people change this file'],
    ['what the checks stand on', 'test/checks.sh', 'the checks stand on this file'],
  ])('%s is missed also when it was committed', (_, path, words) => {
    const project = new MarkedProject(root, open)
    project.write(path, 'true\n')
    project.commit()
    expect(project.end().reason).toContain(`\n1. ${path}: ${words}`)
    project.git('checkout', '-q', project.base, '--', path)
    project.commit()
    expect(project.end().reason).toBeNull()
  })

  it('that steer agents may not be there', () => {
    const project = new MarkedProject(root, open)
    project.write('.claude/settings.json', '{}')
    expect(project.end().reason).toContain('\n1. .claude/settings.json: configuration of agents')
  })

  it('that are uncommitted are told last', () => {
    const project = new MarkedProject(root, open)
    project.write('src/new.ts', '')
    project.list(edit(open, 'A', stage.approved))
    const lines = project.end().reason?.split('\n') ?? []
    expect(lines).toHaveLength(3)
    expect(lines[2]).toContain('2. There are uncommitted changes (ralph/tasks.json, src/new.ts)')
  })

  it('of the runner are nobody’s business, nor what was dirty before or is made by checks', () => {
    const project = new MarkedProject(root, open, 'review', { leaveOut: ['src/app.ts', 'coverage/'] })
    project.list(edit(open, 'A', {}))
    for (const path of ['src/app.ts', 'coverage/lcov.info', '.ralph/guardrail_1_npm_test.log']) project.write(path, 'x')
    expect(project.end().reason).toMatch(/^Ralph[^\n]*\n1\. Review iteration without a verdict[^\n]*$/)
  })

  it('of a branch that is not the loop’s', () => {
    const project = new MarkedProject(root, open)
    project.git('switch', '-q', '-c', 'other')
    expect(project.end().reason).toContain('\n1. HEAD is on other, not on ralph/demo.')
  })
})

describe('the count', () => {
  it('lets go after 6 blocks, and says so', () => {
    const project = new MarkedProject(root, open)
    project.write('new.ts', '')
    const reasons = Array.from({ length: 6 }, () => project.end().reason)
    expect(reasons.map((reason) => /block (\d of \d)/.exec(reason ?? '')?.[1])).toEqual(
      [1, 2, 3, 4, 5, 6].map((nth) => `${nth} of 6`),
    )
    const seventh = project.end()
    expect(seventh).toMatchObject({ code: 0, out: '' })
    expect(seventh.err).toContain('blocked 6 times; letting go')
    expect(statSync(join(project.data, 'stop', project.id)).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(project.data, 'stop', project.id), 'utf8')).toHaveLength(6)
  })

  it('is kept in a private directory where Claude Code names none', () => {
    const project = new MarkedProject(root, open)
    project.write('new.ts', '')
    const env = { CLAUDE_PLUGIN_DATA: undefined }
    expect(project.end({ env }).reason).toContain('block 1 of 6')
    expect(project.end({ env }).reason).toContain('block 2 of 6')
    const place = join(root, `ralph-stop-${process.getuid?.()}`)
    expect(statSync(place).mode & 0o777).toBe(0o700)
  })

  it('counts no turn that ends well', () => {
    const project = new MarkedProject(root, open)
    for (let turn = 0; turn < 7; turn++) expect(project.end().reason).toBeNull()
    project.write('new.ts', '')
    expect(project.end().reason).toContain('block 1 of 6')
  })
})
