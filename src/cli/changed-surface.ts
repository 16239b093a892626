import type { Referee } from '../git/referee.ts'
import { isInstructionFile, isVerificationSurface } from '../prompt/verification-surface.ts'

/** What the checks stand on and what instructs agents, where it is other than when the run started; for the summary. */
export async function changedSurface(referee: Referee, commit: string | null): Promise<string[]> {
  const changes = commit === null ? null : await referee.changes(referee.baseline.commit, commit)
  // The run has ended already: what git cannot tell now is missing from a summary, and no more.
  const changed = changes?.ok === true ? changes.value : []
  const surface = changed.filter(({ path }) => isVerificationSurface(path) || isInstructionFile(path))
  // A new test is what everybody hopes for, so what was there before comes first.
  const [added, others] = [true, false].map((isNew) => surface.filter(({ kind }) => (kind === 'added') === isNew))
  return [
    ...referee.changedPrograms(),
    ...(others ?? []).map(({ path, kind }) => `${path} (${kind})`),
    ...(added ?? []).map(({ path }) => `${path} (new)`),
  ]
}
