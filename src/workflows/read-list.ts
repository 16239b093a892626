import { err, type Result } from '../base/result.ts'
import type { Answer } from '../loop/workflow.ts'
import type { Failure } from '../model/failure.ts'
import type { TaskList } from '../model/story.ts'
import { readTasks } from '../tasks/read-tasks.ts'
import { tasksIn } from './look.ts'
import type { StoriesPorts } from './stories-ports.ts'

/** The list on the disk, while nobody is there who may not change it. */
export function readList(ports: StoriesPorts): Result<TaskList, Failure> {
  const path = tasksIn(ports.options.ralphDir)
  const seen = ports.files.read(path)
  if (seen.kind === 'missing') return err({ reason: 'missing-file', path, fix: 'Run "ralph init".' })
  if (seen.kind === 'unreadable') return err({ reason: 'unsafe-file', path, why: seen.why })
  const read = readTasks(seen.text)
  if (read.ok) return read
  return err({ reason: 'invalid-tasks', path, problems: read.error.map(({ message }) => message) })
}

/** The list of a tree that was found legal. */
export async function listIn({ referee, options }: StoriesPorts, tree: string): Answer<TaskList> {
  const path = tasksIn(options.ralphDir)
  const bytes = await referee.read(tree, path)
  if (!bytes.ok) return bytes
  const list = readTasks(bytes.value?.toString('utf8') ?? '')
  return list.ok ? list : err({ reason: 'storage', doing: 'read the snapshot of', path, code: 'EINVAL' })
}
