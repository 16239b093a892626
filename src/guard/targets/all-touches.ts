import { inside } from '../shell/inside.ts'
import type { Ran } from '../shell/trace.ts'
import type { Touch } from '../touch.ts'
import { findTouches } from './find-touches.ts'
import { reading, readsOf } from './reads-of.ts'
import { targeting, targetsOf } from './targets-of.ts'

/** The paths that a command would change or read, as far as its words tell. */
export function allTouches(command: Ran): Touch[] {
  const { name, args, directories, input } = command
  const read = readsOf(command).flatMap((path) => inside(directories, path))
  const reads = [...read, ...input.files].map((path): Touch => ({ path, how: 'read' }))
  if (name === 'find') return [...reads, ...findTouches(args, directories)]
  const changes = targetsOf(name)(args).flatMap(({ path, how, isLinked }) =>
    inside(directories, path).map((full): Touch =>
      isLinked === true ? { path: full, how, isLinked } : { path: full, how },
    ),
  )
  return [...reads, ...changes]
}

/** The programs whose words can tell; of git, which mostly does not touch what it names, only some. */
export const touching: string = ['find', reading, targeting].join(' ')
