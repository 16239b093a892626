import { ok } from '../base/result.ts'
import { visibleLine } from '../base/visible.ts'
import type { Answer } from '../loop/workflow.ts'
import { someOf } from '../tasks/some-of.ts'
import type { Seen, StoriesMemory } from './stories-memory.ts'
import type { StoriesPorts } from './stories-ports.ts'

interface WorkToCommit {
  readonly seen: Seen
  readonly iteration: number
  /** What the runner has written itself, with the message of its own commit. */
  readonly own: readonly string[]
  readonly message: string
  /** Whether everything else that is uncommitted is committed as left over. */
  readonly leftOver: boolean
}

/** Commits of the runner on top of the branch: first its own changes, then what the agent left. The new head, or null. */
export async function commitWork(
  ports: StoriesPorts,
  memory: StoriesMemory,
  { seen, iteration, own, message, leftOver }: WorkToCommit,
): Answer<string | null> {
  const { referee } = ports
  const { view } = seen
  if (view.head === null) return ok(null)
  const mine = new Set(own)
  const ownPaths = [...view.uncommitted, ...view.ownCommitted, ...view.dropped].filter((path) => mine.has(path))
  let head = view.head
  if (ownPaths.length > 0) {
    const made = await referee.commit({ parent: head, tree: view.tree, paths: ownPaths, message, iteration })
    if (!made.ok) return made
    head = made.value ?? head
  }
  let uncommitted = view.uncommitted.filter((path) => !mine.has(path))
  if (leftOver && uncommitted.length > 0) {
    const left = await referee.commitLeftOver({ view: { ...view, head, uncommitted }, iteration })
    if (!left.ok) return left
    if (left.value.kind === 'committed') {
      head = left.value.commit
      uncommitted = []
    } else if (left.value.kind === 'too-much') {
      const megabytes = Math.ceil(left.value.bytes / 1024 / 1024)
      const files = someOf(uncommitted.map((path) => visibleLine(path)))
      ports.remark(`Too much to commit unasked (${megabytes} MB): ${files}.`)
    }
  }
  if (head === view.head) return ok(null)
  const delivered = await referee.deliver({ commit: head, branch: memory.branch, expected: view.head })
  if (!delivered.ok) return delivered
  const dropped = view.dropped.filter((path) => !mine.has(path))
  memory.seen = {
    view: {
      ...view,
      head,
      uncommitted,
      ownCommitted: view.ownCommitted.filter((path) => !mine.has(path)),
      dropped,
      openOperation: null,
    },
    now: { ...seen.now, uncommitted, dropped, branch: memory.branch },
  }
  return ok(head)
}
