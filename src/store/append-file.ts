import { closeSync, fstatSync, fsyncSync, ftruncateSync, lstatSync } from 'node:fs'
import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { errnoOf, storageFailure } from './attempt.ts'
import { writeAll } from './write-all.ts'

/** A file that only grows, by records that are whole and on the disk, or not there at all. */
export interface AppendFile {
  /** Where the last good record ends. */
  readonly size: number
  /** Returns after fsync. On a failure the file is as it was before, or no more is ever written to it. */
  append(record: Uint8Array): Result<void, Failure>
  /** Whether it is still there and as long as we left it: nobody else may write it. */
  untouched(): boolean
  close(): void
}

/** Takes over an open descriptor; everything after `size` must be gone already. */
export function appendFile(fd: number, path: string, size: number): AppendFile {
  const { dev, ino } = fstatSync(fd)
  let good = size
  let broken: Failure | null = null
  let isOpen = true
  return {
    get size() {
      return good
    },
    append(record) {
      if (!isOpen) throw new Error(`closed, and its descriptor may be another file's by now: ${path}`)
      if (broken !== null) return err(broken)
      try {
        // By position and not by O_APPEND: after a failure the next record begins where the last good one ends.
        writeAll(fd, record, good)
        fsyncSync(fd)
      } catch (error) {
        const failure = storageFailure('append to', path, error)
        if (!cutBack(fd, good)) broken = failure
        return err(failure)
      }
      good += record.length
      return ok(undefined)
    },
    untouched() {
      try {
        const seen = lstatSync(path)
        return seen.ino === ino && seen.dev === dev && seen.size === good
      } catch (error) {
        errnoOf(error)
        return false
      }
    },
    close() {
      if (isOpen) closeSync(fd)
      isOpen = false
    },
  }
}

/** The sync is part of it: a half-written record that comes back after a power loss would be damage in the middle. */
function cutBack(fd: number, size: number): boolean {
  try {
    ftruncateSync(fd, size)
    fsyncSync(fd)
    return true
  } catch (error) {
    errnoOf(error)
    return false
  }
}
