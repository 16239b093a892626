import { ok } from '../base/result.ts'
import type { TriedBackend } from '../doctor/finding-of-backend.ts'
import { backends } from '../isolation/backends.ts'
import type { Backend, Site } from '../isolation/isolation.ts'
import { directIsolation, type DirectOptions } from '../isolation/none.ts'

/** Every kind of box, one after the other: each alone on the machine. */
export async function tryBackends(site: Site, direct: DirectOptions): Promise<TriedBackend[]> {
  const tried: TriedBackend[] = []
  for (const backend of backends) {
    const { name } = backend
    const isolation = name === 'none' ? ok(directIsolation(direct)) : await backend.probe(site)
    tried.push({ name, isolation })
  }
  return tried
}

/** A backend that says again what it has said. */
export const answered = ({ name, isolation }: TriedBackend): Backend => ({
  name,
  probe: () => Promise.resolve(isolation),
})
