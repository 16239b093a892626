import { afterEach, expect, it } from 'vitest'
import { StagedLoop, type StagedEnd } from '../../support/staged-loop.ts'

/** What a review says that did not come to its end. */
let loop: StagedLoop
afterEach(() => loop.remove())

const moves = () => loop.lab.events().flatMap((event) => (event.kind === 'stories.moved' ? event.moves : []))
const verdicts = () => loop.lab.events().flatMap((event) => (event.kind === 'verdict.given' ? [event] : []))

it.each(['failed', 'aborted', 'empty'] as const)(
  'a rejection at the cap approves nothing if its run ended as %s: it is reviewed again',
  async (end) => {
    loop = new StagedLoop({
      act(stage): StagedEnd {
        if (stage.mode === 'review' && stage.first('rejected')) {
          stage.reject()
          return end
        }
        stage.honest()
        return 'succeeded'
      },
    })
    expect(await loop.run({ reviewCap: '1' })).toBe(0)
    expect(moves()).toEqual([
      { story: 'US-001', to: 'needs_review', by: 'agent' },
      { story: 'US-001', to: 'needs_review', by: 'runner' },
      { story: 'US-001', to: 'approved', by: 'agent' },
    ])
    expect(loop.lab.list().userStories[0]).toMatchObject({ reviewCount: 1, reviewFeedback: '' })
    expect(loop.lab.events().at(-1)).toMatchObject({ reason: 'complete' })
  },
)

it('an approval that was interrupted does not count, and nobody has cheated', async () => {
  loop = new StagedLoop({
    act(stage): StagedEnd {
      stage.honest()
      return stage.mode === 'review' && stage.first('interrupted') ? 'aborted' : 'succeeded'
    },
  })
  expect(await loop.run()).toBe(0)
  expect(verdicts().flatMap(({ violations }) => violations)).toEqual([])
  expect(verdicts()[1]).toMatchObject({
    ok: true,
    unfinished: expect.arrayContaining([expect.objectContaining({ what: 'no-verdict', story: 'US-001' })]) as unknown,
  })
  expect(moves().map(({ to }) => to)).toEqual(['needs_review', 'approved'])
})

it('nor does a pass without review that was interrupted', async () => {
  loop = new StagedLoop({
    act(stage): StagedEnd {
      stage.edit((_, story) => Object.assign(story, { passes: true, notes: 'done' }))
      stage.commit()
      return stage.first('interrupted') ? 'aborted' : 'succeeded'
    },
  })
  expect(await loop.run({ skipReview: true })).toBe(0)
  expect(verdicts().flatMap(({ violations }) => violations)).toEqual([])
  expect(moves().map(({ to }) => to)).toEqual(['passed_unreviewed'])
})

it('what an interrupted review changed beside its approval is caught as ever', async () => {
  loop = new StagedLoop({
    act(stage): StagedEnd {
      if (stage.mode !== 'review' || !stage.first('interrupted')) return (stage.honest(), 'succeeded')
      stage.lab.write('ralph/prd.md', 'nothing is wanted')
      stage.honest()
      return 'aborted'
    },
  })
  expect(await loop.run()).toBe(0)
  expect(verdicts()[1]?.violations.map(({ rule }) => rule)).toEqual(['people-only-file', 'approval-void'])
})

it('who rejects at the cap without a word, again and again, is stopped by the limit of errors', async () => {
  loop = new StagedLoop({
    act(stage): StagedEnd {
      if (stage.mode !== 'review') return (stage.honest(), 'succeeded')
      stage.reject()
      return 'empty'
    },
  })
  expect(await loop.run({ reviewCap: '1' })).toBe(1)
  expect(loop.lab.events().at(-1)).toMatchObject({ reason: 'too_many_errors' })
})
