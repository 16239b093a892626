import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ok } from '../../../src/base/result.ts'
import { ensureUnlocked } from '../../../src/git/ensure-unlocked.ts'
import { failure, Lab } from '../../support/repositories.ts'

let lab: Lab
beforeEach(() => {
  lab = new Lab()
  lab.start()
})
afterEach(() => lab.remove())

it('lets a repository pass that nobody works in', async () => {
  expect(await ensureUnlocked(lab.project)).toEqual(ok(undefined))
})

it.each(['index.lock', 'HEAD.lock'])('names %s and how to get rid of it', async (name) => {
  lab.write(`.git/${name}`, '')
  expect(failure(await ensureUnlocked(lab.project, 0))).toMatchObject({
    reason: 'not-a-repository',
    fix: expect.stringContaining(join(lab.project, '.git', name)) as string,
  })
})

it('waits for a git that is at work', async () => {
  lab.write('.git/index.lock', '')
  const waiting = ensureUnlocked(lab.project, 60_000)
  rmSync(join(lab.project, '.git/index.lock'))
  expect(await waiting).toEqual(ok(undefined))
})

it('finds the lock of a linked work tree', async () => {
  const linked = join(lab.root, 'linked')
  lab.git('worktree', 'add', '-q', linked)
  expect(await ensureUnlocked(linked)).toEqual(ok(undefined))
  lab.write('.git/worktrees/linked/index.lock', '')
  expect(await ensureUnlocked(linked, 0)).toMatchObject({ ok: false })
})
