import { setTimeout as delay } from 'node:timers/promises'
import { err, ok, type Result } from '../base/result.ts'
import { shellQuote } from '../base/shell-quote.ts'
import type { Failure } from '../model/failure.ts'
import { lookAt } from './disk.ts'
import { findLayout } from './git-layout.ts'

/** Editors ask git all the time, and it holds its lock for a moment. */
const graceMs = 2000
const pauseMs = 50

/** A lock of git's that stays makes every commit fail: better said before an agent has worked for nothing. */
export async function ensureUnlocked(project: string, withinMs = graceMs): Promise<Result<void, Failure>> {
  const gitDir = findLayout(project)?.gitDir ?? `${project}/.git`
  const find = () =>
    ['index.lock', 'HEAD.lock'].map((name) => `${gitDir}/${name}`).find((path) => lookAt(path) !== null)
  const start = performance.now()
  let lock = find()
  while (lock !== undefined && performance.now() - start < withinMs) {
    await delay(pauseMs)
    lock = find()
  }
  if (lock === undefined) return ok(undefined)
  return err({
    reason: 'not-a-repository',
    why: 'Another git is at work in this repository, or was killed there: its lock is held.',
    fix: `If none is, remove it: rm ${shellQuote(lock)}`,
  })
}
