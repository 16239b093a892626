import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inject } from 'vitest'
import type { Box, Isolation, Opening, Site } from '../../../src/isolation/isolation.ts'
import { os } from '../../../src/isolation/os.ts'
import { newBoxSite, type BoxSite } from '../../support/box-site.ts'
import { newRunId, program } from '../../support/processes.ts'
import { value } from '../../support/repositories.ts'

// The box has a /tmp of its own, so what must be hidden by a rule has to lie elsewhere.
process.env['TMPDIR'] = '/var/tmp'

export interface OsLab {
  readonly place: BoxSite
  readonly isolation: Isolation
  readonly box: Box
  readonly runId: string
  readonly end: () => Promise<void>
}

/** PATH with the real sandbox-runtime on it, as a global installation puts it there: by a link. */
export function pathWithSrt(directory: string): string {
  const bin = join(directory, 'bin')
  mkdirSync(bin, { recursive: true })
  symlinkSync(inject('srt') ?? '/nowhere', join(bin, 'srt'))
  return `${bin}:${process.env['PATH'] ?? ''}`
}

/** A place whose site finds sandbox-runtime. */
export function newOsPlace(more: Partial<Site> = {}): BoxSite {
  const place = newBoxSite()
  const places = { path: pathWithSrt(place.root), forbiddenRoot: place.site.project }
  return { ...place, site: { ...place.site, places, ...more } }
}

export async function openOsBox(
  more: Partial<Site> = {},
  opening: Partial<Opening> = {},
  place = newOsPlace(more),
): Promise<OsLab> {
  const runId = newRunId()
  const isolation = value(await os.probe(place.site))
  const box = value(
    await isolation.open({
      runId,
      agents: ['custom'],
      hosts: [],
      // The programs of the tests may lie in /tmp.
      readable: [dirname(program('sleeper'))],
      remark: () => undefined,
      ...opening,
    }),
  )
  const end = async (): Promise<void> => {
    await box.dispose()
    place.remove()
  }
  return { place, isolation, box, runId, end }
}
