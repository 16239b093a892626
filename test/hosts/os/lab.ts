import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { createInterface } from 'node:readline'
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

/** Who runs the box: both must hold. */
export const users = process.getuid?.() === 0 ? (['root', 'a user'] as const) : (['a user'] as const)
export type User = (typeof users)[number]

/** Nobody else's on any machine that tests run on. */
const userId = 61_234

/** A command in a box, opened by another process, as root or as a user. */
export interface InBox {
  readonly lines: readonly string[]
  readonly exitCode: number | null
  readonly stderr: string
}

export interface BoxRun {
  readonly user: User
  readonly script: string
  readonly hosts?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Told of each line that the command prints, with the process that has opened the box. */
  readonly onLine?: (line: string, runner: ChildProcess) => void | Promise<void>
}

/** Gives a place to who runs the box. */
export function ownedBy(user: User, place: BoxSite): BoxSite {
  if (user === 'a user' && process.getuid?.() === 0) {
    execFileSync('chown', ['-R', `${userId}:${userId}`, place.root])
  }
  return place
}

export async function runInBox({ site }: BoxSite, run: BoxRun): Promise<InBox> {
  const { user, script, hosts = [], env = {}, onLine } = run
  const become =
    user === 'a user' && process.getuid?.() === 0
      ? ['setpriv', '--reuid', String(userId), '--regid', String(userId), '--clear-groups', '--']
      : []
  const program = join(import.meta.dirname, '..', '..', 'support', 'programs', 'os-box.ts')
  const [first, ...rest] = [...become, process.execPath, '--import', 'tsx', program]
  const child = spawn(first, rest, {
    cwd: join(import.meta.dirname, '..', '..', '..'),
    env: { PATH: site.places.path, HOME: site.home, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  })
  child.stdin.end(JSON.stringify({ site, script, hosts, readable: [] }))
  const lines: string[] = []
  let last: Record<string, unknown> = {}
  for await (const text of createInterface({ input: child.stdout })) {
    const said = JSON.parse(text) as Record<string, unknown>
    if (typeof said['line'] === 'string') {
      lines.push(said['line'])
      await onLine?.(said['line'], child)
    } else last = said
  }
  const { exitCode = null, stderr = '', ...trouble } = last
  if (Object.keys(trouble).length > 0) throw new Error(JSON.stringify(trouble))
  return { lines, exitCode: exitCode as number | null, stderr: stderr as string }
}
