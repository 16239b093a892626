import { visibleLine } from '../../base/visible.ts'
import type { Unfinished } from '../../model/violation.ts'
import type { Found } from '../../tasks/draft.ts'
import type { Verdict } from '../../tasks/judge-turn.ts'
import { maxBlocks } from './count-blocks.ts'
import { remedyFor, type Known } from './remedy.ts'

const maxProblems = 30
const maxChars = 10_000

/** All problems at once, in the order in which a model can work through them, each with what to do about it. */
export function describeBlock(verdict: Verdict, nth: number, known: Known): string {
  const problems = inOrder(verdict)
  const story = known.rules.story ?? ''
  const about = story === '' ? known.mode : `${known.mode}, ${story}`
  const lines = [
    `Ralph's referee: this iteration (${visibleLine(about)}) cannot end like this (block ${nth} of ${maxBlocks}). ` +
      'Work through the list from top to bottom, commit everything, then end your turn again.',
  ]
  let room = maxChars
  for (const problem of problems.slice(0, maxProblems)) {
    const line = `${lines.length}. ${visibleLine(describeProblem(problem, known), 2000)}`
    room -= line.length
    if (room < 0) break
    lines.push(line)
  }
  const more = problems.length - lines.length + 1
  if (more > 0) lines.push(`And ${more} more, which you will hear of when these are done.`)
  return lines.join('\n')
}

/** The list itself, files, the fields of the list, its stories one by one, what is missing, and the commit last. */
function inOrder({ illegal, unfinished }: Verdict): Problem[] {
  const first: Problem[] = []
  const ofProject: Problem[] = []
  const ofStories = new Map<string, Found[]>()
  for (const found of illegal) {
    // That an approval is void follows from the files, and is over with them.
    if (found.rule === 'approval-void') continue
    if (found.story === null) (found.rule === 'tasks-unreadable' ? first : ofProject).push([found])
    else if (ofStories.get(found.story)?.push(found) === undefined) ofStories.set(found.story, [found])
  }
  return [...first, ...ofProject, ...ofStories.values(), ...unfinished.map((found) => [found])]
}

/** What is wrong with one file, field or story. */
type Problem = readonly (Found | Unfinished)[]

function describeProblem(problem: Problem, known: Known): string {
  const found = problem.filter((item) => 'rule' in item)
  return problem.map(({ message }) => message).join(' ') + remedyFor(known, found)
}
