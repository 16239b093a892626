import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../src/base/json.ts'
import { describeBlock } from '../../../../src/hooks/stop/describe-block.ts'
import type { Observation } from '../../../../src/model/observation.ts'
import type { IterationMode, TaskList } from '../../../../src/model/story.ts'
import { judgeTurn } from '../../../../src/tasks/judge-turn.ts'
import { takeSnapshot } from '../../../../src/tasks/take-snapshot.ts'
import { changed, edit, list, rules, seen, stage, story } from '../../../support/task-list.ts'

/** What the hook says of this; the lines after the first one. */
function blocked(before: TaskList, after: TaskList, mode: IterationMode, more: Partial<Observation> = {}) {
  const observation: Observation = { tasks: seen(after), changes: [], ...more }
  const snapshot = { ...takeSnapshot(before, 'ralph/demo'), list: null }
  const given = rules({ protects: (path) => path === 'check.sh' })
  const verdict = judgeTurn(snapshot, observation, mode, given)
  const now = new Map(after.userStories.map((item) => [item.id, item as unknown as JsonObject]))
  const changes = observation.changes ?? []
  const known = { before: snapshot, now, mode, rules: given, changes, base: 'c0ffee' }
  return describeBlock(verdict, 2, known).split('\n')
}

const open = list([story('A'), story('B')])

describe('a block', () => {
  it('says what it is, which one, and how to go on', () => {
    expect(blocked(open, open, 'implement', { uncommitted: ['a'] })[0]).toBe(
      "Ralph's referee: this iteration (implement, A) cannot end like this (block 2 of 6). Work through the list from top to bottom, commit everything, then end your turn again.",
    )
  })

  it('goes from the list and files to fields, stories, what is missing, and the commit', () => {
    const after = edit(edit(open, 'A', { title: 'x' }), 'B', { ...stage.submitted, notes: '' })
    const lines = blocked(open, { ...after, project: 'Other' }, 'review', {
      changes: [changed('src/a.ts'), { path: 'new.ts', kind: 'added', now: 'file' }],
      branch: 'main',
      uncommitted: ['src/a.ts'],
    })
    expect(lines.slice(1).map((line) => line.replace(/(?<=^.{46}).*/, ''))).toEqual([
      '1. src/a.ts: a review iteration judges and doe',
      '2. new.ts: a review iteration judges and does ',
      '3. HEAD is on main, not on ralph/demo. Go back',
      '4. tasks.json: project is written by people on',
      '5. Story A: title may not change during a loop',
      '6. Story B: notes may only grow. Put the old t',
      '7. Review iteration without a verdict on story',
      '8. There are uncommitted changes (src/a.ts). U',
    ])
  })

  it('has the unreadable list first', () => {
    const lines = blocked(open, open, 'implement', { tasks: { kind: 'missing' }, changes: [changed('check.sh')] })
    expect(lines[1]).toBe(
      '1. tasks.json is missing. Put it back. → git checkout c0ffee -- ralph/tasks.json, then make your own edits again.',
    )
    expect(lines[2]).toContain('2. check.sh: the checks stand on this file')
  })

  it.each<[string, Parameters<typeof blocked>, string]>([
    [
      'a move',
      [open, edit(open, 'A', stage.approved), 'implement'],
      ' → A: set "passes" to false, "reviewStatus" to "needs_review", "reviewCount" to 0.',
    ],
    ['a move of another story', [open, edit(open, 'B', stage.passed), 'implement'], ' → B: set "passes" to false.'],
    [
      'two moves',
      [open, edit(edit(open, 'A', stage.submitted), 'B', stage.submitted), 'implement'],
      ' → B: set "reviewStatus" to null.',
    ],
    ['a field of the list', [open, { ...open, branchName: 'x' }, 'implement'], ' → set "branchName" to "ralph/demo".'],
    [
      'a frozen list',
      [open, edit(open, 'A', { acceptanceCriteria: ['x'] }), 'implement'],
      ' → A: set "acceptanceCriteria" to ["A does one thing","A does another"].',
    ],
    [
      'a new circle',
      [open, edit(edit(open, 'A', { dependsOn: ['B'] }), 'B', { dependsOn: ['A'] }), 'implement'],
      ' → A: set "dependsOn" to [].',
    ],
    ['a deleted story', [open, list([story('A')]), 'implement'], ' → "git show c0ffee:ralph/tasks.json" has it.'],
    [
      'a file',
      [open, open, 'implement', { changes: [changed("it's.md"), changed('ralph/prd.md')] }],
      ' → git checkout c0ffee -- ralph/prd.md',
    ],
    [
      'a new file',
      [open, open, 'implement', { changes: [{ path: '.mcp.json', kind: 'added', now: 'file' }] }],
      ' → rm -r -- .mcp.json',
    ],
  ])('ends with what to do about %s', (_, given, remedy) => {
    expect(blocked(...given)[1]?.endsWith(remedy)).toBe(true)
  })

  it('puts a story back that may not move at all, though it moved in a legal way', () => {
    const before = edit(open, 'A', { blocked: 'Ask Ann.' })
    const [, line] = blocked(before, edit(before, 'A', stage.submitted), 'implement')
    expect(line).toMatch(/is blocked and may not move now.* → A: set "reviewStatus" to null\.$/)
  })

  it('does not cry over an approval that is void only because of the files', () => {
    const before = edit(open, 'A', stage.submitted)
    const lines = blocked(before, edit(before, 'A', stage.approved), 'review', { changes: [changed('src/a.ts')] })
    expect(lines.filter((line) => line.includes('does not count'))).toEqual([])
  })

  it('is as long as a model reads, however much there is', () => {
    const changes = Array.from({ length: 100_000 }, (_, index) => changed(`src/${'long '.repeat(100)}${index}`))
    const lines = blocked(open, open, 'review', { changes })
    expect(lines.join('\n').length).toBeLessThan(11_000)
    expect(lines.at(-1)).toMatch(/^And \d+ more, which you will hear of when these are done\.$/)
    expect(lines.length).toBeLessThan(33)
  })
})
