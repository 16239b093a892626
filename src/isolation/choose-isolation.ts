import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import type { Backend, BackendName, Isolation, Site, Unavailable } from './isolation.ts'

/** A box that was tried before the chosen one and does not work here. */
export interface PassedOver extends Unavailable {
  readonly backend: BackendName
}

export interface ChosenIsolation {
  readonly isolation: Isolation
  readonly passedOver: readonly PassedOver[]
}

export interface WantedIsolation {
  readonly backend: BackendName | 'auto'
  /** Fail instead of falling back to direct mode. */
  readonly required: boolean
}

/** The strongest that works, of those that were asked for; `backends` is sorted by strength. */
export async function chooseIsolation(
  { backend, required }: WantedIsolation,
  backends: readonly Backend[],
  site: Site,
): Promise<Result<ChosenIsolation, Failure>> {
  const wanted = backends.filter(({ name }) => (backend === 'auto' ? !(required && name === 'none') : name === backend))
  const passedOver: PassedOver[] = []
  for (const candidate of wanted) {
    const isolation = await candidate.probe(site)
    if (isolation.ok) return ok({ isolation: isolation.value, passedOver })
    passedOver.push({ backend: candidate.name, ...isolation.error })
  }
  return err({
    reason: 'isolation-unavailable',
    why: passedOver.map(({ backend: name, why }) => `${name}: ${why}`).join(' '),
    // A command to type may stand at its end, without a full stop.
    fix: `${(passedOver[0]?.fix ?? '').replace(/(?<=\w)$/, '.')} "ralph doctor" tells more; --no-sandbox runs the agent directly, if you trust it with this machine.`.trimStart(),
  })
}
