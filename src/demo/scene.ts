import { unreachable } from '../base/unreachable.ts'
import type { IterationMode, Story, TaskList } from '../model/story.ts'
import { isDone } from '../tasks/select-story.ts'
import { describeFinding, probeOf } from './probe.ts'
import { refereeWords } from './referee-words.ts'
import type { Scene, Step } from './step.ts'
import * as work from './work.ts'

/** All that the scripted agent knows when it starts. The scene follows from this alone, so an interrupted demo goes on. */
export interface Situation {
  readonly mode: IterationMode
  readonly story: Story
  readonly list: TaskList
  /** The text of progress.txt. */
  readonly progress: string
  readonly prompt: string
}

export function sceneFor(situation: Situation): Scene {
  switch (situation.mode) {
    case 'implement':
      return implement(situation)
    case 'review':
      return review(situation)
    case 'review-fix':
      return fix(situation)
    default:
      return unreachable(situation.mode)
  }
}

/** What the agent writes to progress.txt after its short cut: by this it knows later that it has been tried. */
export const shortCutNote = 'the test was too strict; made it fit'

function* implement({ story, progress, prompt }: Situation): Scene {
  if (story.id !== 'US-003') {
    yield say(
      story.id === 'US-001' ? 'A sum over all lines.' : 'Units, a dot, two digits: that is all the test asks for.',
    )
    yield* submit(story, filesFor(story.id, 'first'), `feat: [${story.id}] - ${story.title}`)
  } else if (progress.includes(shortCutNote)) {
    const words = refereeWords(prompt)
    for (const sentence of words) yield say(`The referee wrote to me: "${sentence}"`)
    yield say(`${words.length === 0 ? 'My short cut was put back. ' : ''}Then I do the work: real columns.`)
    yield* submit(story, filesFor(story.id, 'right'), `feat: [${story.id}] - ${story.title}`)
  } else {
    yield* cheat(story)
  }
}

/** Three lies at once: an easier test, an approval of its own, and the claim that all is done. */
function* cheat(story: Story): Scene {
  yield say('One line for each item, and the total.')
  yield write(work.receiptWithoutColumns)
  const test = yield* runTests(story)
  if (!test.ok) yield say('Columns are tedious. I make the test easier and approve the story myself.')
  yield write(work.easierTest)
  yield* runTests(story)
  yield {
    kind: 'edit-story',
    story: story.id,
    fields: { passes: true, reviewStatus: 'approved', reviewCount: story.reviewCount + 1 },
    notes: 'Prints a receipt.',
  }
  yield { kind: 'note', text: `${story.id} (implement): ${shortCutNote}` }
  yield { kind: 'commit', message: `feat: [${story.id}] - ${story.title}, approved` }
  yield say('Everything is approved. <promise>COMPLETE</promise>')
}

function* fix({ story }: Situation): Scene {
  yield say(`The review said: ${story.reviewFeedback}`)
  yield* submit(story, filesFor(story.id, 'right'), `fix: [${story.id}] - address review feedback`)
}

/** From the work to the story's move: the same for new work and for a fix. */
function* submit(story: Story, files: readonly work.WrittenFile[], message: string): Scene {
  for (const file of files) yield write(file)
  const tests = yield* runTests(story)
  if (!tests.ok) {
    yield { kind: 'note', text: `${story.id}: its tests fail; not submitted` }
    yield say(`The tests of ${story.id} fail, so I do not submit it.`)
    return
  }
  const written = files.map(({ path }) => path).join(', ')
  yield {
    kind: 'edit-story',
    story: story.id,
    fields: { reviewStatus: 'needs_review', reviewFeedback: '' },
    notes: `Wrote ${written}.`,
  }
  yield { kind: 'note', text: `${story.id} (${message.startsWith('fix') ? 'review-fix' : 'implement'}): ${written}` }
  yield { kind: 'commit', message }
}

/** The reviewer reads, runs the tests and then asks what the tests do not ask. It changes no code. */
function* review({ story, list }: Situation): Scene {
  yield say('Somebody else wrote this. I run its tests, then I try what they do not ask.')
  for (const { path } of filesFor(story.id, 'first')) yield { kind: 'read', path }
  const tests = yield* runTests(story)
  const probe = probeOf(story.id)
  const answer = probe === null ? null : yield { kind: 'run', program: 'node', args: ['-p', probe.script] }
  const found = answer?.ok === true ? answer.text.trim() : ''
  if (!tests.ok) yield* reject(story, `The tests of the story fail: ${checksOf(story).join(', ')}.`)
  else if (probe !== null && found !== probe.answer) yield* reject(story, describeFinding(probe, found))
  else yield* approve(story, list)
}

function* approve(story: Story, list: TaskList): Scene {
  const fields = { reviewStatus: 'approved', passes: true, reviewCount: story.reviewCount + 1 } as const
  yield { kind: 'edit-story', story: story.id, fields, notes: 'Every criterion was tried.' }
  yield { kind: 'note', text: `${story.id} (review): approved` }
  yield { kind: 'commit', message: `review: [${story.id}] - approved` }
  const isLast = list.userStories.every((other) => other.id === story.id || isDone(other, false))
  yield say(isLast ? 'That was the last story. <promise>COMPLETE</promise>' : 'Every criterion is met.')
}

function* reject(story: Story, reviewFeedback: string): Scene {
  yield say(reviewFeedback)
  const fields = { reviewStatus: 'changes_requested', reviewFeedback, reviewCount: story.reviewCount + 1 } as const
  yield { kind: 'edit-story', story: story.id, fields }
  yield { kind: 'note', text: `${story.id} (review): changes requested` }
  yield { kind: 'commit', message: `review: [${story.id}] - changes requested` }
}

/** What the agent writes for a story: at the first try, and once it knows better. */
function filesFor(story: string, quality: 'first' | 'right'): readonly work.WrittenFile[] {
  switch (story) {
    case 'US-001':
      return [work.total]
    case 'US-002':
      return quality === 'first' ? [work.amountWithoutRefunds] : [work.amount, work.refundTest]
    case 'US-003':
      return [work.receipt]
    default:
      return []
  }
}

function* runTests(story: Story): Generator<Step, { ok: boolean }, { ok: boolean; text: string }> {
  let ok = true
  for (const command of checksOf(story)) {
    const [, ...args] = command.split(' ')
    const ran = yield { kind: 'run', program: 'node', args }
    ok &&= ran.ok
  }
  return { ok }
}

/** The demo's own checks are all `node` with plain words. */
const checksOf = (story: Story): string[] =>
  (story.verifyCommands ?? []).filter((command) => /^node [\w./ -]+$/.test(command))

const say = (text: string): Step => ({ kind: 'say', text })
const write = ({ path, content }: work.WrittenFile): Step => ({ kind: 'write', path, content })
