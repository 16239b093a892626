import { inside } from '../shell/inside.ts'
import type { Ran } from '../shell/trace.ts'
import type { Touch } from '../touch.ts'
import { findTouches } from './find-touches.ts'
import { targetsOf } from './targets-of.ts'

/** The paths that a command would change, as far as its words tell. */
export function touchesOf({ name, args, directories }: Ran): Touch[] {
  if (name === 'find') return findTouches(args, directories)
  return targetsOf(name)(args).flatMap(({ path, how }) =>
    inside(directories, path).map((full) => ({ path: full, how })),
  )
}
