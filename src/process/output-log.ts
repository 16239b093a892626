import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'

/** What became of one stream of a child. */
export interface StreamCount {
  /** All that the child wrote there, counted without its keys. */
  readonly bytes: number
  /** Of these, what is not in the file: past the cap, or after the disk said no. */
  readonly notLoggedBytes: number
  /** Why, if it was the disk: ENOSPC, EIO. A log that cannot be written does not stop an agent. */
  readonly logError: string | null
}

export const defaultMaxLogBytes = 1024 * 1024 * 1024

/**
 * The raw bytes of one stream in a file. Written synchronously, so that what a consumer has seen is in the file and a slow
 * disk slows the child instead of filling memory.
 */
export class OutputLog {
  #file: number | null
  #room: number
  #bytes = 0
  #notLogged = 0
  #logError: string | null = null

  private constructor(file: number | null, maxBytes: number) {
    this.#file = file
    this.#room = file === null ? 0 : maxBytes
  }

  /** Appends: a second start in the same iteration goes behind the first. Without a path the bytes are only counted. */
  static open(path: string | undefined, maxBytes: number): Result<OutputLog, Extract<Failure, { reason: 'storage' }>> {
    if (path === undefined) return ok(new OutputLog(null, maxBytes))
    try {
      // O_NONBLOCK: a FIFO in its place is an error and does not wait for a reader.
      const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants
      return ok(new OutputLog(openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600), maxBytes))
    } catch (error) {
      return err({ reason: 'storage', doing: 'open', path, code: codeOf(error) })
    }
  }

  write(chunk: Buffer): void {
    this.#bytes += chunk.length
    const wanted = this.#logError === null ? Math.min(chunk.length, this.#room) : 0
    const written = wanted === 0 ? 0 : this.#writeAll(chunk, wanted)
    this.#room -= written
    if (this.#file !== null) this.#notLogged += chunk.length - written
  }

  close(): StreamCount {
    if (this.#file !== null) {
      try {
        closeSync(this.#file)
      } catch (error) {
        // NFS reports a full disk only here.
        this.#logError ??= codeOf(error)
      }
      this.#file = null
    }
    return { bytes: this.#bytes, notLoggedBytes: this.#notLogged, logError: this.#logError }
  }

  /** A write may take less than it was given without an error. */
  #writeAll(chunk: Buffer, wanted: number): number {
    let written = 0
    if (this.#file === null) return written
    try {
      while (written < wanted) written += writeSync(this.#file, chunk, written, wanted - written)
    } catch (error) {
      this.#logError = codeOf(error)
    }
    return written
  }
}

function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error) return String(error.code)
  throw error
}
