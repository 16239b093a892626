import { visibleLine } from '../base/visible.ts'
import type { Story } from '../model/story.ts'
import type { Advice } from './advice.ts'
import { namesCheck } from './names-check.ts'

/** Titles and criteria that stand twice: one of them is a mistake, or the same work is asked for twice. */
export function adviseRepetition(open: readonly Story[]): Advice[] {
  const advice: Advice[] = []
  const titles = new Map<string, string>()
  const criteria = new Map<string, string>()
  // The parts of a split story carry its criteria by right.
  for (const { id, title, acceptanceCriteria } of open.filter((story) => story.splitInto === undefined)) {
    const twin = titles.get(same(title))
    if (twin !== undefined && same(title) !== '') {
      const what = `has the title of ${twin}.`
      advice.push({ rule: 'repeated', story: id, what, fix: 'Say what makes them different, or remove one.' })
    }
    titles.set(same(title), id)
    for (const criterion of acceptanceCriteria) {
      const first = criteria.get(same(criterion))
      const isCommon = first !== id && namesCheck(criterion)
      if (first !== undefined && !isCommon) {
        const where = first === id ? 'twice' : `as ${first} has it`
        const what = `has the criterion "${visibleLine(criterion, 80)}" ${where}.`
        const fix =
          first === id
            ? 'Remove one.'
            : 'Leave it where it is built; what holds for every story goes into the constraints of prd.md.'
        advice.push({ rule: 'repeated', story: id, what, fix })
      }
      criteria.set(same(criterion), id)
    }
  }
  return advice
}

const same = (text: string): string =>
  text
    .slice(0, 500)
    .toLowerCase()
    .replaceAll(/[\s.,;:!]+/g, ' ')
    .trim()
