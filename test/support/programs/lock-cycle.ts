import { writeSync } from 'node:fs'
import { thisHost } from '../../../src/store/host.ts'
import { acquireLock } from '../../../src/store/lock.ts'

/** `lock-cycle PATH`: gets the lock, says so, gives it back, says so. */
const got = acquireLock(process.argv[2] ?? '', thisHost())
if (got.ok) {
  writeSync(1, 'held\n')
  const released = got.value.release()
  writeSync(1, `${released.ok ? released.value : JSON.stringify(released.error)}\n`)
} else writeSync(1, `${JSON.stringify(got.error)}\n`)
