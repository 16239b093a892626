import { backends } from '../isolation/backends.ts'
import type { Isolation, Site } from '../isolation/isolation.ts'
import type { RunState } from '../model/run-state.ts'

/** Ends what a killed run may have left, also where it had another box than the one that is chosen now. */
export async function endEarlier(
  { runId, isolation: name }: RunState,
  {
    isolation,
    site,
    remark,
  }: { readonly isolation: Isolation; readonly site: Site; readonly remark: (text: string) => void },
): Promise<void> {
  await isolation.endAll(runId)
  const other = name === isolation.name ? undefined : backends.find((backend) => backend.name === name)
  if (other === undefined) return
  const found = await other.probe(site)
  if (found.ok) await found.value.endAll(runId)
  else
    remark(
      `The last run was killed in ${other.name}, and whether it left something there nobody can say: ${found.error.why}`,
    )
}
