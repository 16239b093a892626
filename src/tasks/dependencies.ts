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

/** A circle of stories that wait for each other, first id repeated at the end, or null. */
export function findCycle(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] | null {
  const done = new Set<string>()
  for (const start of graph.keys()) {
    if (done.has(start)) continue
    const path: string[] = []
    const onPath = new Set<string>()
    const stack = [{ id: start, edges: [...(graph.get(start) ?? [])] }]
    path.push(start)
    onPath.add(start)
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const next = top.edges.pop()
      if (next === undefined) {
        stack.pop()
        path.pop()
        onPath.delete(top.id)
        done.add(top.id)
      } else if (onPath.has(next)) return [...path.slice(path.indexOf(next)), next]
      else if (!done.has(next) && graph.has(next)) {
        stack.push({ id: next, edges: [...(graph.get(next) ?? [])] })
        path.push(next)
        onPath.add(next)
      }
    }
  }
  return null
}
