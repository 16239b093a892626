import { describe, expect, it } from 'vitest'
import { demoList } from '../../../src/demo/project.ts'
import { sceneFor, shortCutNote, type Situation } from '../../../src/demo/scene.ts'
import type { Step, StepResult } from '../../../src/demo/step.ts'
import type { IterationMode, TaskList } from '../../../src/model/story.ts'
import { edit, stage } from '../../support/task-list.ts'

/** Plays a scene to its end; `answer` says what each program that it runs gives. */
function steps(situation: Situation, answer: (command: string) => Partial<StepResult> = () => ({})): Step[] {
  const scene = sceneFor(situation)
  const seen: Step[] = []
  for (let next = scene.next(); next.done !== true;) {
    const step = next.value
    seen.push(step)
    const result = step.kind === 'run' ? answer([step.program, ...step.args].join(' ')) : {}
    next = scene.next({ ok: true, text: '', ...result })
  }
  return seen
}

function situation(mode: IterationMode, id: string, over: Partial<Situation> = {}): Situation {
  const list: TaskList = over.list ?? demoList
  const story = list.userStories.find((story) => story.id === id)
  if (story === undefined) throw new Error(`no story ${id}`)
  return { mode, story, list, progress: '', prompt: `Work on ${id}.`, ...over }
}

const edits = (seen: readonly Step[]) => seen.filter((step) => step.kind === 'edit-story').map(({ fields }) => fields)
const said = (seen: readonly Step[]) => seen.flatMap((step) => (step.kind === 'say' ? [step.text] : [])).join('\n')
const written = (seen: readonly Step[]) => seen.flatMap((step) => (step.kind === 'write' ? [step.path] : []))
const isProbe = (command: string) => command.startsWith('node -p')

describe('implementing', () => {
  it('writes, tests, submits, notes and commits, in this order', () => {
    expect(steps(situation('implement', 'US-001')).map(({ kind }) => kind)).toEqual([
      'say',
      'write',
      'run',
      'edit-story',
      'note',
      'commit',
    ])
  })

  it('submits nothing whose tests fail', () => {
    const seen = steps(situation('implement', 'US-001'), () => ({ ok: false }))
    expect(edits(seen)).toEqual([])
    expect(seen.map(({ kind }) => kind)).not.toContain('commit')
  })

  it('cheats once in the third story: an easier test, an approval of its own, a promise', () => {
    const seen = steps(situation('implement', 'US-003'), () => ({ ok: false }))
    expect(written(seen)).toEqual(['src/receipt.js', 'acceptance/receipt.js'])
    expect(edits(seen)).toEqual([{ passes: true, reviewStatus: 'approved', reviewCount: 1 }])
    expect(said(seen)).toContain('<promise>COMPLETE</promise>')
    expect(seen).toContainEqual({ kind: 'note', text: `US-003 (implement): ${shortCutNote}` })
  })

  it('is honest the next time and says what the referee wrote', () => {
    const progress = `- US-003 (implement): ${shortCutNote}\n`
    const prompt = '- Implement iterations cannot set passes=true or approve stories. And so on.'
    const seen = steps(situation('implement', 'US-003', { progress, prompt }))
    expect(said(seen)).toContain('"Implement iterations cannot set passes=true or approve stories."')
    expect(written(seen)).toEqual(['src/receipt.js'])
    expect(edits(seen)).toEqual([{ reviewStatus: 'needs_review', reviewFeedback: '' }])
  })
})

describe('reviewing', () => {
  it('rejects what a criterion asks for and no test has found, with what was seen', () => {
    const submitted = edit(demoList, 'US-002', stage.submitted)
    const seen = steps(situation('review', 'US-002', { list: submitted }), (command) =>
      isProbe(command) ? { text: '-1.-5\n' } : {},
    )
    const [verdict] = edits(seen)
    expect(verdict).toMatchObject({ reviewStatus: 'changes_requested', reviewCount: 1 })
    expect(verdict?.reviewFeedback).toContain('amount(-5) gives -1.-5.')
    expect(verdict?.reviewFeedback).toContain('src/amount.js')
    expect(verdict).not.toHaveProperty('passes')
  })

  it('approves what meets its criteria, and touches no code', () => {
    const seen = steps(situation('review', 'US-002'), (command) => (isProbe(command) ? { text: '-0.05\n' } : {}))
    expect(edits(seen)).toEqual([{ reviewStatus: 'approved', passes: true, reviewCount: 1 }])
    expect(written(seen)).toEqual([])
    expect(said(seen)).not.toContain('<promise>')
  })

  it('rejects what fails its tests, whatever else is right', () => {
    const seen = steps(situation('review', 'US-001'), (command) => (isProbe(command) ? { text: '0' } : { ok: false }))
    expect(edits(seen)[0]?.reviewFeedback).toContain('node acceptance/total.js')
  })

  it('rejects code that gives no answer at all', () => {
    const seen = steps(situation('review', 'US-001'), (command) => (isProbe(command) ? { ok: false, text: '0' } : {}))
    expect(edits(seen)[0]?.reviewFeedback).toContain('gives no answer')
  })

  it('promises completion with the last approval, and not before', () => {
    const list = edit(edit(demoList, 'US-001', stage.approved), 'US-002', stage.approved)
    const seen = steps(situation('review', 'US-003', { list }), (command) =>
      isProbe(command) ? { text: `${'-'.repeat(24)}\nTotal               0.00\n` } : {},
    )
    expect(said(seen)).toContain('<promise>COMPLETE</promise>')
  })
})

describe('fixing', () => {
  it('says what the review asked for, does it, adds a test and submits again', () => {
    const list = edit(demoList, 'US-002', { reviewStatus: 'changes_requested', reviewFeedback: 'Refunds are wrong.' })
    const seen = steps(situation('review-fix', 'US-002', { list }))
    expect(said(seen)).toContain('Refunds are wrong.')
    expect(written(seen)).toEqual(['src/amount.js', 'test/amount.test.js'])
    expect(edits(seen)).toEqual([{ reviewStatus: 'needs_review', reviewFeedback: '' }])
  })

  it('does any story right, should a check send it back', () => {
    for (const id of ['US-001', 'US-003']) {
      const list = edit(demoList, id, { reviewStatus: 'changes_requested', reviewFeedback: 'A check failed.' })
      expect(edits(steps(situation('review-fix', id, { list })))).toHaveLength(1)
    }
  })
})
