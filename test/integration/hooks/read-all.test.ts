import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readAll } from '../../../src/hooks/host/read-all.ts'
import { scratch } from '../../support/scratch.ts'

describe('a pipe that does not block', () => {
  it('is waited for only so long', () => {
    const path = join(scratch(), 'fifo')
    execFileSync('mkfifo', [path])
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const writer = openSync(path, constants.O_WRONLY)
    try {
      writeSync(writer, 'half')
      const start = Date.now()
      expect(readAll(reader, { maxBytes: 100, until: start + 50 })).toEqual({ ok: false, error: 'not there in time' })
      expect(Date.now() - start).toBeLessThan(5000)
    } finally {
      closeSync(writer)
      closeSync(reader)
    }
  })

  it('is read to its end, up to a limit', () => {
    const path = join(scratch(), 'fifo')
    execFileSync('mkfifo', [path])
    const read = (maxBytes: number) => {
      const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
      const writer = openSync(path, constants.O_WRONLY)
      writeSync(writer, 'whole')
      closeSync(writer)
      const text = readAll(reader, { maxBytes })
      closeSync(reader)
      return text
    }
    expect(read(5)).toEqual({ ok: true, value: 'whole' })
    expect(read(4)).toEqual({ ok: false, error: 'longer than 4 bytes' })
  })
})
