import { randomBytes } from 'node:crypto'
import { copyFileSync, constants, mkdirSync, readdirSync, readlinkSync } from 'node:fs'
import { lookAt, readRegular } from './disk.ts'
import { decodePath } from './git-path.ts'

/** Something that the referee took out, so that the loop can keep it for people. */
export interface Rejected {
  /** Relative to the project in the work tree, absolute in a git directory. */
  readonly path: string
  readonly kind: 'file' | 'link' | 'directory' | 'special'
  /** Bytes of a file, target of a link. */
  readonly content: Buffer | null
  /** A file too large to hand over as bytes: where it was copied to, in the state directory; null if too large for that. */
  readonly savedAs: string | null
}

const maxInlineBytes = 1024 * 1024
const maxTotalBytes = 32 * 1024 * 1024
/** A hole of a terabyte would fill the disk. */
const maxCopiedBytes = 2 * 1024 * 1024 * 1024

/** Collects what is about to be taken out. */
export class RejectedList {
  readonly found: Rejected[] = []
  readonly #directory: string
  #bytes = 0
  #copied = 0

  constructor(stateDir: string) {
    this.#directory = `${stateDir}/taken-out`
  }

  /** Everything at this place, a directory with all that is in it, links as links. */
  keep(onDisk: string | Buffer, path: string): void {
    const seen = lookAt(onDisk)
    if (seen === null) return
    if (seen.isDirectory()) {
      this.#add(path, 'directory', null)
      for (const name of readdirSync(onDisk, { encoding: 'buffer' })) {
        this.keep(Buffer.concat([Buffer.from(onDisk), Buffer.from('/'), name]), `${path}/${decodePath(name)}`)
      }
    } else if (seen.isSymbolicLink()) {
      this.#add(path, 'link', readlinkSync(onDisk, { encoding: 'buffer' }))
    } else if (!seen.isFile()) {
      this.#add(path, 'special', null)
    } else if (seen.size <= maxInlineBytes && this.#bytes + seen.size <= maxTotalBytes) {
      this.#bytes += seen.size
      this.#add(path, 'file', readRegular(onDisk, maxInlineBytes))
    } else if (this.#copied + seen.size > maxCopiedBytes) {
      this.#add(path, 'file', null)
    } else {
      this.#copied += seen.size
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 })
      const savedAs = `${this.#directory}/${randomBytes(8).toString('hex')}`
      copyFileSync(onDisk, savedAs, constants.COPYFILE_EXCL)
      this.found.push({ path, kind: 'file', content: null, savedAs })
    }
  }

  #add(path: string, kind: Rejected['kind'], content: Buffer | null): void {
    this.found.push({ path, kind, content, savedAs: null })
  }
}
