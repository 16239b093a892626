import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { changesOf } from '../../../src/cli/changes.ts'
import { scratch } from '../../support/scratch.ts'

/** Longer than any test may take: who waits for it has not been told. */
const never = 600_000

it('tells of a change when it happens', async () => {
  const path = join(scratch(), 'file')
  writeFileSync(path, '')
  const changes = changesOf(path, never)
  for (const text of ['one', 'two']) {
    const told = changes.next()
    appendFileSync(path, text)
    await told
  }
  changes.close()
})

it('keeps what happened while nobody asked', async () => {
  const path = join(scratch(), 'file')
  writeFileSync(path, '')
  const changes = changesOf(path, never)
  const first = changes.next()
  appendFileSync(path, 'one')
  await first
  // By the time that a second watcher has heard of it, so has the first.
  const witness = changesOf(path, never)
  const seen = witness.next()
  appendFileSync(path, 'two')
  await seen
  await changes.next()
  changes.close()
  witness.close()
})

it('comes back after a while in any case, also for a file that is not there yet', async () => {
  const path = join(scratch(), 'file')
  const changes = changesOf(path, 1)
  await changes.next()
  writeFileSync(path, '')
  await expect(changes.next()).resolves.toBeUndefined()
  changes.close()
})
