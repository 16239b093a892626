import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunResult } from '../../support/loop-project.ts'
import { violationsIn } from '../../support/loop-project.ts'
import { ClaudeLab, claudeProgram } from './lab.ts'
import { says, type Answer, type Asked } from './messages-api.ts'
import type { Stream } from './stream.ts'

/** The author takes its own work for reviewed. */
const approved = { passes: true, reviewStatus: 'approved', reviewCount: 1 } as const
const asItWas = { passes: false, reviewStatus: 'needs_review', reviewCount: 0, notes: 'did it' } as const

/** What the Stop hook answered, once for each time that the model wanted to stop. */
const answersOf = ({ hooks }: Stream): string[] =>
  hooks.filter(({ event }) => event === 'Stop').map(({ stdout }) => stdout)

const blocks = (answers: readonly string[]): string[] => answers.filter((answer) => answer.includes('"block"'))

const feedbackIn = (asked: Asked | undefined): string =>
  /Stop hook feedback:\n([\s\S]*)/.exec(asked?.besides ?? '')?.[1] ?? ''

describe.skipIf(claudeProgram === null)('the Stop hook in the real Claude Code', () => {
  let lab: ClaudeLab
  let run: RunResult
  let session: Stream

  /** One iteration of an author that does this. */
  async function implement(...answers: readonly ((lab: ClaudeLab) => Answer)[]): Promise<void> {
    lab = await ClaudeLab.open()
    lab.acts({ implement: () => answers.map((answer) => answer(lab)) })
    run = await lab.run(['-n', '1', '--agent-arg', '--include-hook-events'])
    session = lab.streams()[0] as Stream
  }

  const build = (lab: ClaudeLab): Answer => lab.honest('implement', 'US-001')[0] as Answer

  describe('with a model that has moved its story illegally, and repairs it', () => {
    beforeAll(() =>
      implement(
        build,
        (lab) => lab.sets(approved),
        () => says('All done.'),
        (lab) => lab.sets(asItWas),
        () => says('Repaired.'),
      ),
    )
    afterAll(() => lab.close())

    it('does not let it stop, and tells it which field of which story is to be what', () => {
      expect(blocks(answersOf(session))).toHaveLength(1)
      const told = feedbackIn(lab.asked('implement')[3])
      expect(told).toMatch(/US-001/)
      for (const field of ['passes', 'reviewStatus', 'reviewCount']) expect(told).toContain(field)
    })

    it('lets it stop after that, and the runner has nothing to put back', () => {
      expect(answersOf(session).at(-1)).toBe('')
      expect(session.result).toMatchObject({ subtype: 'success', result: 'Repaired.' })
      expect(violationsIn(run.events)).toEqual([])
      expect(lab.story('US-001')).toMatchObject(asItWas)
    })
  })

  describe('with a model that will not repair it', () => {
    beforeAll(() => implement(build, (lab) => lab.sets(approved)))
    afterAll(() => lab.close())

    it('lets it go after 6 blocks, so that Claude Code need not override it and its last words are not lost', () => {
      const answers = answersOf(session)
      expect(answers).toHaveLength(7)
      expect(blocks(answers)).toEqual(answers.slice(0, 6))
      expect(answers[6]).toBe('')
      expect(session.result).toMatchObject({ subtype: 'success', result: 'I have done implement US-001.' })
    })

    it('leaves it to the runner, who rejects the iteration and puts the story back', () => {
      expect(violationsIn(run.events)).toContain('illegal-transition')
      expect(lab.story('US-001')).toMatchObject({ passes: false, reviewStatus: null, reviewCount: 0 })
      expect(run.exitCode).toBe(1)
    })
  })

  describe('with a model that leaves its work uncommitted', () => {
    beforeAll(() =>
      implement(
        build,
        () => says('Done.'),
        (lab) => lab.submits(),
      ),
    )
    afterAll(() => lab.close())

    it('has it commit first, by the name of the file', () => {
      expect(feedbackIn(lab.asked('implement')[2])).toContain('work/US-001.txt')
      expect(blocks(answersOf(session))).toHaveLength(1)
      expect(run.events.filter(({ kind }) => kind === 'state.repaired')).toEqual([])
      expect(lab.story('US-001').reviewStatus).toBe('needs_review')
    })
  })
})
