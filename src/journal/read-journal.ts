import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import { err, ok, type Result } from '../base/result.ts'
import type { Recorded } from '../model/event.ts'
import type { Failure } from '../model/failure.ts'
import { storageFailure } from '../store/attempt.ts'
import { replay, type Replayed, type ReplayedTo } from './replay.ts'

/**
 * For `status`, `log` and `report`: never writes, and takes what is complete, so it may read while a run goes on. With
 * `from` it takes only what was recorded since.
 */
export function readJournal(
  path: string,
  each?: (event: Recorded) => void,
  from?: ReplayedTo,
): Result<Replayed, Failure> {
  let fd: number
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    return err(storageFailure('read', path, error))
  }
  try {
    if (!fstatSync(fd).isFile())
      return err({ reason: 'journal-damaged', path, line: 1, why: 'it is not a regular file' })
    return replay(fd, path, { each, from })
  } finally {
    closeSync(fd)
  }
}

/** The same, where a run may not have come as far as its first record: null if there is no file. */
export function readJournalIfAny(
  ...[path, each, from]: Parameters<typeof readJournal>
): Result<Replayed | null, Failure> {
  const read = readJournal(path, each, from)
  if (!read.ok && read.error.reason === 'storage' && read.error.code === 'ENOENT') return ok(null)
  return read
}
