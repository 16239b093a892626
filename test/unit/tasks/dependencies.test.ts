import { describe, expect, it } from 'vitest'
import { findCircles, type Node } from '../../../src/tasks/dependencies.ts'

const node = (id: string, dependsOn: string[] = [], splitInto: string[] = []): Node => ({ id, dependsOn, splitInto })
const circles = (...nodes: Node[]) =>
  findCircles(nodes)
    .map((circle) => circle.toSorted().join())
    .toSorted()

describe('circles', () => {
  it.each([
    ['a story that names itself', [node('A', ['A'])], ['A']],
    ['two, and one that only looks on', [node('A', ['B']), node('B', ['A']), node('C', ['A'])], ['A,B']],
    ['a story that waits for its own split', [node('A', [], ['P']), node('P', ['A'])], ['A,P']],
    ['what was handed down', [node('A', ['B'], ['P']), node('P'), node('B', ['P'])], ['B,P']],
    [
      'what was handed down twice',
      [node('A', ['B'], ['P']), node('P', [], ['Q']), node('Q'), node('B', ['Q'])],
      ['B,Q'],
    ],
    ['a split that comes back', [node('A', [], ['B']), node('B', [], ['A'])], ['A,B']],
    ['a part that the story names as well', [node('A', ['P'], ['P']), node('P')], ['P']],
    ['a split into itself', [node('A', [], ['A'])], ['A']],
    ['none through names that are not there', [node('A', ['Z'], ['Y'])], []],
    ['none where parts wait for each other in a row', [node('A', [], ['P', 'Q']), node('P'), node('Q', ['P'])], []],
  ])('%s', (_, nodes, expected) => expect(circles(...nodes)).toEqual(expected))

  it('a split of 20,000 parts with 20,000 dependencies costs as much as it is long', () => {
    const names = (letter: string) => Array.from({ length: 20_000 }, (_, index) => `${letter}${index}`)
    const all = [...names('D'), ...names('P')].map((id) => node(id))
    const start = performance.now()
    expect(circles(node('A', names('D'), names('P')), ...all)).toEqual([])
    // Written out at each part it was 400,000,000 names, and the end of the process.
    expect(performance.now() - start).toBeLessThan(5000)
  })
})
