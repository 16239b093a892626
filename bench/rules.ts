import type { Story, TaskList } from '../src/model/story.ts'
import { judge } from '../src/tasks/judge.ts'
import { writeTasks } from '../src/tasks/read-tasks.ts'
import type { Rules } from '../src/tasks/rules.ts'
import { selectStory } from '../src/tasks/select-story.ts'
import { takeSnapshot } from '../src/tasks/take-snapshot.ts'
import { interleave, type Row } from './measure.ts'

const count = 1000
/** The promise of the issue, in milliseconds. */
const limitMs = 20

/** 1,000 stories, each depending on the ten before it, judged after an iteration that moved one and reordered all. */
export async function rules(): Promise<Row[]> {
  const before = bigList()
  const moved = before.userStories.map((story) =>
    story.id === 'S500' ? { ...story, reviewStatus: 'needs_review' } : story,
  )
  const text = writeTasks({ ...before, userStories: moved.toReversed() as Story[] })
  const snapshot = takeSnapshot(before)
  const given: Rules = {
    skipReview: false,
    reviewCap: 5,
    story: 'S500',
    agentSucceeded: true,
    ralphDir: 'ralph',
    protects: () => false,
    protectedScripts: new Map(),
  }
  const circles = before.userStories.map((story, index) => ({
    ...story,
    dependsOn: [`S${index % 2 === 0 ? index + 1 : index - 1}`],
  }))
  const hostile = [circles, []].map((userStories) => writeTasks({ ...before, userStories }))
  const subjects = {
    floor: () => JSON.parse(text) as unknown,
    judge: () => judge(snapshot, { tasks: { kind: 'text', text } }, 'implement', given),
    'judge in 500 circles,': () =>
      judge(snapshot, { tasks: { kind: 'text', text: hostile[0] ?? '' } }, 'implement', given),
    'judge none left of': () =>
      judge(snapshot, { tasks: { kind: 'text', text: hostile[1] ?? '' } }, 'implement', given),
    select: () => selectStory(before, { skipReview: false }),
  }
  const ms = await interleave(40, subjects)
  return (['judge', 'judge in 500 circles,', 'judge none left of', 'select'] as const).map((name) => ({
    name: `${name} ${count} stories (JSON.parse)`,
    measured: `${ms[name].toFixed(2)} ms`,
    floor: `${ms.floor.toFixed(2)} ms`,
    ratio: ms[name] / ms.floor,
    goal: `< ${limitMs} ms`,
    ok: ms[name] < limitMs,
  }))
}

function bigList(): TaskList {
  const userStories = Array.from({ length: count }, (_, index): Story => ({
    id: `S${index}`,
    title: `Story ${index}`,
    description: 'What it is about, in a sentence or two that a person wrote for another person.',
    acceptanceCriteria: ['The first thing happens', 'The second thing happens', 'The third thing does not'],
    priority: index,
    passes: false,
    reviewStatus: null,
    reviewCount: 0,
    reviewFeedback: '',
    notes: 'Some notes.',
    dependsOn: Array.from({ length: Math.min(10, index) }, (_, back) => `S${index - 1 - back}`),
  }))
  return { project: 'Big', branchName: 'ralph/big', description: '', userStories }
}
