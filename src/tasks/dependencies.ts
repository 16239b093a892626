/** What the graph of a list needs to know of a story. */
export interface Node {
  readonly id: string
  readonly dependsOn: readonly string[]
  readonly splitInto: readonly string[]
}

/**
 * Who waits for whom: a story for what it depends on, a split story for its parts, and a part also for what the story
 * it came from depends on. Names that are not in the list lead nowhere.
 */
export function waitsFor(nodes: readonly Node[]): ReadonlyMap<string, ReadonlySet<string>> {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const graph = new Map(nodes.map((node) => [node.id, new Set([...node.dependsOn, ...node.splitInto])]))
  const inherited = inheritedDependencies(nodes)
  for (const [part, ids] of inherited) {
    const edges = graph.get(part)
    if (edges !== undefined) for (const id of ids) edges.add(id)
  }
  for (const edges of graph.values()) for (const id of edges) if (!byId.has(id)) edges.delete(id)
  return graph
}

/** What each part has to wait for because the story it came from does, through any number of splits. */
export function inheritedDependencies(nodes: readonly Node[]): ReadonlyMap<string, ReadonlySet<string>> {
  const parents = new Map<string, Node[]>()
  for (const node of nodes) {
    for (const part of node.splitInto) parents.set(part, [...(parents.get(part) ?? []), node])
  }
  const inherited = new Map<string, Set<string>>()
  for (const part of parents.keys()) {
    const ids = new Set<string>()
    const seen = new Set([part])
    const todo = [part]
    for (let id = todo.pop(); id !== undefined; id = todo.pop()) {
      for (const parent of parents.get(id) ?? []) {
        for (const dependency of parent.dependsOn) ids.add(dependency)
        if (!seen.has(parent.id)) {
          seen.add(parent.id)
          todo.push(parent.id)
        }
      }
    }
    inherited.set(part, ids)
  }
  return inherited
}

/** The groups of stories that wait for each other in a circle (Tarjan's algorithm, without recursion: lists are long). */
export function findCircles(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const circles: string[][] = []
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
  return circles

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
    if (group.length > 1 || graph.get(id)?.has(id) === true) circles.push(group)
  }
}
