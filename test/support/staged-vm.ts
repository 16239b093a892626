import type { Backend, Opening } from '../../src/isolation/isolation.ts'
import type { Staged } from '../integration/isolation/contract.ts'
import { newBoxSite, type BoxSite } from './box-site.ts'
import { FakeSandbox, type Face, type FakeOptions, type Knobs } from './fake-sandbox.ts'
import { newRunId } from './processes.ts'
import { value } from './repositories.ts'

/** A project and a user on whose PATH one of the fakes is. */
export interface VmSite {
  readonly fake: FakeSandbox
  readonly place: BoxSite
  readonly site: BoxSite['site']
  end(): void
}

export function newVmSite(face: Face, options: FakeOptions = {}, secrets: readonly string[] = []): VmSite {
  const place = newBoxSite()
  const { site } = place
  const fake = new FakeSandbox(face, { hide: [site.state, site.home], ...options })
  const env = { ...site.env, ...fake.env }
  return {
    fake,
    place,
    site: { ...site, env, secrets, places: { path: env.PATH ?? '', forbiddenRoot: site.project } },
    end() {
      fake.end()
      place.remove()
    },
  }
}

export interface StagedVm extends Staged {
  readonly fake: FakeSandbox
  readonly site: VmSite['site']
  readonly remarks: readonly string[]
}

export interface VmStaging {
  readonly secrets?: readonly string[]
  readonly knobs?: Knobs
  readonly opening?: Partial<Opening>
  readonly options?: FakeOptions
}

export async function stageVm(
  backend: Backend,
  { secrets = [], knobs = {}, opening = {}, options = {} }: VmStaging = {},
): Promise<StagedVm> {
  const vm = newVmSite(backend.name as Face, options, secrets)
  const { fake, place, site } = vm
  fake.turn(knobs)
  const isolation = value(await backend.probe(site))
  const runId = newRunId()
  const remarks: string[] = []
  const box = value(
    await isolation.open({
      runId,
      agents: ['custom'],
      hosts: [],
      readable: [],
      remark: (text) => remarks.push(text),
      ...opening,
    }),
  )
  return {
    fake,
    site,
    remarks,
    isolation,
    box,
    project: site.project,
    outside: place.outside,
    runId,
    async end() {
      await box.dispose()
      vm.end()
    },
  }
}
