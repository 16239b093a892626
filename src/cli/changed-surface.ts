import type { Referee } from '../git/referee.ts'
import { readJournal } from '../journal/read-journal.ts'
import { isGroundOfTests, isInstructionFile, isTestFile } from '../prompt/verification-surface.ts'

/**
 * What the checks stand on and what instructs agents, where it is other than before the first iteration; for the summary. What
 * people left for the runner to commit when it started is theirs.
 */
export async function changedSurface(referee: Referee, journal: string, commit: string | null): Promise<string[]> {
  let first: string | null = null
  readJournal(journal, (event) => {
    if (event.kind === 'iteration.started') first ??= event.base
  })
  const changes = commit === null ? null : await referee.changes(first ?? referee.baseline.commit, commit)
  // The run has ended already: what git cannot tell now is missing from a summary, and no more.
  const changed = changes?.ok === true ? changes.value : []
  // A new test is what everybody hopes for; one that was there before and changed is not.
  const surface = changed.filter(
    ({ path, kind }) => isGroundOfTests(path) || isInstructionFile(path) || (kind !== 'added' && isTestFile(path)),
  )
  return [...referee.changedPrograms(), ...surface.map(({ path, kind }) => `${path} (${kind})`)]
}
