import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import { basename, join } from 'node:path'
import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { errnoOf, storageFailure } from '../store/attempt.ts'
import { makePrivateDirectory } from '../store/private-directory.ts'
import { commandSlug } from './command-slug.ts'
import type { Ends } from './output-ends.ts'

const { O_WRONLY, O_RDONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants

/** More starts of one command in one iteration are a loop that went wrong. */
const maxSameName = 10_000

/** A new, empty log: `0003-npm_test.log`, then `0003-npm_test_2.log`. */
export function reserveLog(
  directory: string,
  { iteration, command }: { readonly iteration: number; readonly command: string },
): Result<string, Failure> {
  const made = makePrivateDirectory(directory)
  if (!made.ok) return made
  const name = `${String(iteration).padStart(4, '0')}-${commandSlug(command)}`
  for (let count = 1; count < maxSameName; count++) {
    const path = join(directory, `${name}${count === 1 ? '' : `_${count}`}.log`)
    try {
      closeSync(openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600))
      return ok(path)
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') return err(storageFailure('create', path, error))
    }
  }
  return err({ reason: 'storage', doing: 'create', path: join(directory, `${name}.log`), code: 'EEXIST' })
}

/** What comes behind the iteration in a log's name: it tells the checks of one iteration apart. */
export function logLabel(log: string): string {
  return /^\d+-(\w+)\.log$/.exec(basename(log))?.[1] ?? 'check'
}

/** Both ends of a log; null if there is none that could be read. */
export function readLogEnds(log: string, endBytes: number): Ends | null {
  try {
    const fd = openSync(log, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    try {
      const seen: Stats = fstatSync(fd)
      if (!seen.isFile()) return null
      const head = readPart(fd, 0, Math.min(endBytes, seen.size))
      const rest = Math.min(endBytes, seen.size - head.length)
      return { head, tail: readPart(fd, seen.size - rest, rest), totalBytes: seen.size }
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    errnoOf(error)
    return null
  }
}

function readPart(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  let filled = 0
  while (filled < length) {
    const count = readSync(fd, bytes, filled, length - filled, position + filled)
    if (count === 0) break
    filled += count
  }
  return bytes.subarray(0, filled)
}
