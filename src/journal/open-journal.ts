import { closeSync, constants, fstatSync, fsyncSync, ftruncateSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Clock } from '../base/clock.ts'
import { err, ok, type Result } from '../base/result.ts'
import type { Event, Recorded } from '../model/event.ts'
import type { Failure } from '../model/failure.ts'
import { reduce, type RunState } from '../model/run-state.ts'
import { appendFile, type AppendFile } from '../store/append-file.ts'
import { attempt } from '../store/attempt.ts'
import { syncDirectory } from '../store/sync-directory.ts'
import { prepareRecord } from './record.ts'
import { maxRecordBytes, outOfPlace, replay, type Replayed } from './replay.ts'

/** The journal of a run that goes on. Only the holder of the project's lock opens one. */
export interface Journal {
  /** The fold of everything recorded; null before `run.started`. */
  readonly state: RunState | null
  readonly seq: number
  /** How many bytes of a torn record were dropped on opening. */
  readonly tornBytes: number
  /**
   * The event is on the disk when this returns it. On a failure it is not recorded and the file is as before: it may be
   * tried again, and if even the clean-up failed every later call gives the same failure.
   */
  append(event: Event): Result<Recorded, Failure>
  close(): void
}

/** Replays what is there, makes the file if there is none, and drops a torn tail for good. */
export function openJournal(path: string, { clock }: { readonly clock: Clock }): Result<Journal, Failure> {
  const opened = attempt('open', path, () => openOrCreate(path))
  if (!opened.ok) return opened
  const fd = opened.value
  const replayed = fstatSync(fd).isFile()
    ? replay(fd, path)
    : err<Failure>({ reason: 'journal-damaged', path, line: 1, why: 'it is not a regular file' })
  const ready = replayed.ok ? attempt('repair', path, () => dropTorn(fd, replayed.value)) : replayed
  if (!replayed.ok || !ready.ok) {
    closeSync(fd)
    return replayed.ok ? (ready as Result<never, Failure>) : replayed
  }
  return ok(journalOf(appendFile(fd, path, replayed.value.goodBytes), path, replayed.value, clock))
}

function openOrCreate(path: string): number {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const fd = openSync(path, flags, 0o600)
  try {
    syncDirectory(dirname(path))
  } catch (error) {
    closeSync(fd)
    throw error
  }
  return fd
}

function dropTorn(fd: number, { goodBytes, tornBytes }: Replayed): void {
  if (tornBytes === 0) return
  ftruncateSync(fd, goodBytes)
  fsyncSync(fd)
}

function journalOf(file: AppendFile, path: string, replayed: Replayed, clock: Clock): Journal {
  let { state, seq } = replayed
  return {
    get state() {
      return state
    },
    get seq() {
      return seq
    },
    tornBytes: replayed.tornBytes,
    append(event) {
      // Read back before it is written: what cannot be replayed must never get in, and both ways give the same state.
      const prepared = prepareRecord(event, seq + 1, new Date(clock.now()).toISOString())
      const why = prepared.ok ? outOfPlace(event, state) : prepared.error
      if (!prepared.ok || why !== null) throw new Error(`an event that cannot be journalled: ${why}`)
      const { line, recorded } = prepared.value
      if (line.length > maxRecordBytes) return err({ reason: 'storage', doing: 'append to', path, code: 'EFBIG' })
      if (!file.untouched()) {
        return err({ reason: 'journal-damaged', path, line: seq + 1, why: 'somebody else changed the file' })
      }
      const written = file.append(line)
      if (!written.ok) return written
      seq++
      state = reduce(state, recorded)
      return ok(recorded)
    },
    close() {
      file.close()
    },
  }
}
