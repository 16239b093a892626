import { existsSync, readFileSync } from 'node:fs'
import { ok, type Result } from '../base/result.ts'
import type { Referee } from '../git/referee.ts'
import type { Box } from '../isolation/isolation.ts'
import type { Failure } from '../model/failure.ts'

/** A referee of whose writes into the project the box hears: it may not see them by itself. */
export function tellingReferee(referee: Referee, box: Pick<Box, 'refresh'>): Referee {
  const telling = async <T>(answer: Promise<Result<T, Failure>>): Promise<Result<T, Failure>> => {
    const done = await answer
    const told = await box.refresh()
    return told.ok ? done : told
  }
  return {
    ...referee,
    async observe(request) {
      const view = await referee.observe(request)
      if (!view.ok) return view
      const { gitDirectory, rejected, removedLocks } = view.value
      const isTouched = gitDirectory.length + rejected.length + removedLocks.length > 0
      return isTouched ? telling(Promise.resolve(view)) : view
    },
    restore: (tree, paths) => telling(referee.restore(tree, paths)),
    takeAway(path) {
      void box.refresh()
      return referee.takeAway(path)
    },
    deliver: (request) => telling(referee.deliver(request)),
    repairHistory: (request) => telling(referee.repairHistory(request)),
  }
}

/** Files of the runner's that an agent will read, as they are now. */
export async function showFiles(
  box: Pick<Box, 'writeFile'>,
  paths: readonly (string | null)[],
): Promise<Result<void, Failure>> {
  for (const path of paths) {
    if (path === null || !existsSync(path)) continue
    const shown = await box.writeFile(path, readFileSync(path))
    if (!shown.ok) return shown
  }
  return ok(undefined)
}
