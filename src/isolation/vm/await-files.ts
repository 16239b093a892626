import { randomBytes } from 'node:crypto'
import { closeSync, constants, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { err, ok, type Result } from '../../base/result.ts'
import type { Failure } from '../../model/failure.ts'
import { askBox } from './ask-box.ts'
import type { VmClient } from './client.ts'
import { dropScript } from './inside.ts'
import { vmFailure } from './vm-failure.ts'

const limitMs = 60_000

/** Something that is written in a box and awaited on the host. */
export interface Drop {
  readonly text: string
  readonly paths: readonly string[]
}

/** Kept out of git like every draft of ours, and removed with them by the next run, should we be killed. */
export const dropPaths = (directories: readonly string[]): string[] => {
  const name = `.ralph-draft-${randomBytes(6).toString('hex')}`
  return directories.map((directory) => join(directory, name))
}

export const newDrop = (paths: readonly string[]): Drop => ({ text: randomBytes(16).toString('hex'), paths })

/**
 * Returns when everything that was written in the box before the drop is on the host. A second one follows the first: what is
 * copied in one go arrives in any order, and the next go begins when one is through.
 */
export async function awaitFiles(client: VmClient, name: string, first: Drop): Promise<Result<void, Failure>> {
  if (!(await isThere(first))) return err(neverCame(client, name))
  const second = newDrop(first.paths)
  const dropped = await askBox(client, name, { script: dropScript, args: [second.text, ...second.paths], asRoot: true })
  if (!dropped.ok) return err(vmFailure(client, `write into the sandbox ${name}`, dropped.error))
  return (await isThere(second)) ? ok(undefined) : err(neverCame(client, name))
}

/** The same where nothing has been dropped yet. */
export async function dropAndAwait(client: VmClient, name: string, first: Drop): Promise<Result<void, Failure>> {
  const dropped = await askBox(client, name, { script: dropScript, args: [first.text, ...first.paths], asRoot: true })
  if (!dropped.ok) return err(vmFailure(client, `write into the sandbox ${name}`, dropped.error))
  return awaitFiles(client, name, first)
}

/** Whatever comes of it: the name is one that nobody looks at. */
export const takeDropsAway = async (client: VmClient, name: string, paths: readonly string[]): Promise<void> =>
  void (await askBox(client, name, { script: dropScript, args: ['', ...paths], asRoot: true }))

const neverCame = ({ cli }: VmClient, name: string): Failure => ({
  reason: 'isolation-unavailable',
  why: `What is written in the sandbox ${name} does not arrive on this machine.`,
  fix: `Look at it with "${cli.typed} exec ${name} ls", then start the same run again: it goes on where it was.`,
})

async function isThere({ text, paths }: Drop): Promise<boolean> {
  const until = performance.now() + limitMs
  for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 2, 200)) {
    if (paths.every((path) => readShort(path, text.length) === text)) return true
    if (performance.now() > until) return false
    await delay(pauseMs)
  }
}

function readShort(path: string, length: number): string | null {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      return readFileSync(file, 'utf8').slice(0, length + 1)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return null
  }
}
