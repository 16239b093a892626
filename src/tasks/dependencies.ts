/** What the graph of a list needs to know of a story. */
export interface Node {
  readonly id: string
  readonly dependsOn: readonly string[]
  readonly splitInto: readonly string[]
}

export type Graph = ReadonlyMap<string, ReadonlySet<string>>

/**
 * Who depends on whom: a story on what it names, and a part also on what the story it came from does, through any
 * number of splits. What a split story hands down is a node of its own that its parts point to: written out at each
 * part, a split of many parts with many dependencies would not fit into memory. Names that are not in the list lead
 * nowhere.
 */
export function dependencyGraph(nodes: readonly Node[]): Map<string, Set<string>> {
  const known = new Set(nodes.map((node) => node.id))
  const graph = new Map<string, Set<string>>()
  for (const { id, dependsOn, splitInto } of nodes) {
    const named = dependsOn.filter((name) => known.has(name))
    graph.set(id, new Set(named))
    if (splitInto.length > 0) graph.set(handedDownBy(id), new Set(named))
  }
  for (const { id, splitInto } of nodes) {
    for (const part of splitInto) {
      graph.get(part)?.add(handedDownBy(id))
      graph.get(handedDownBy(part))?.add(handedDownBy(id))
    }
  }
  return graph
}

/** The blank keeps these apart from stories: no id has one. */
const handedDownBy = (id: string): string => `${id} hands down`

export const isStory = (name: string): boolean => !name.includes(' ')

/** The groups of stories that wait for each other in a circle: for what they depend on, and split ones for their parts. */
export function findCircles(nodes: readonly Node[]): string[][] {
  const graph = dependencyGraph(nodes)
  for (const { id, splitInto } of nodes) {
    for (const part of splitInto) if (graph.has(part)) graph.get(id)?.add(part)
  }
  return connected(graph)
    .map((group) => group.filter(isStory))
    .filter((group) => group.length > 0)
}

/** The strongly connected groups of a graph (Tarjan's algorithm, without recursion: lists are long). */
function connected(graph: Graph): string[][] {
  const groups: string[][] = []
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const onStack = new Set<string>()
  const lower = (id: string, value: number) => low.set(id, Math.min(low.get(id) ?? value, value))
  for (const start of graph.keys()) {
    if (index.has(start)) continue
    const work = [enter(start)]
    for (let top = work.at(-1); top !== undefined; top = work.at(-1)) {
      const next = top.edges.next()
      if (next.done !== true) {
        if (!index.has(next.value)) work.push(enter(next.value))
        else if (onStack.has(next.value)) lower(top.id, index.get(next.value) ?? 0)
        continue
      }
      work.pop()
      const parent = work.at(-1)
      if (parent !== undefined) lower(parent.id, low.get(top.id) ?? 0)
      if (low.get(top.id) === index.get(top.id)) leave(top.id)
    }
  }
  return groups

  function enter(id: string) {
    index.set(id, index.size)
    lower(id, index.get(id) ?? 0)
    stack.push(id)
    onStack.add(id)
    return { id, edges: (graph.get(id) ?? new Set<string>()).values() }
  }

  function leave(id: string): void {
    const group = stack.splice(stack.lastIndexOf(id))
    for (const member of group) onStack.delete(member)
    if (group.length > 1 || graph.get(id)?.has(id) === true) groups.push(group)
  }
}
