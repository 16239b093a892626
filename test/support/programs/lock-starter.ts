import { writeSync } from 'node:fs'
import { thisHost } from '../../../src/store/host.ts'
import { acquireLock, type Lock } from '../../../src/store/lock.ts'

/**
 * One of several starters. Reads lines: `try PATH TIME` waits (spinning, so that all begin in the same microseconds)
 * and tries to get the lock; `release` gives it back. Answers each with one line, and ends with its input.
 */
const host = thisHost()
let held: Lock | null = null

function answer(line: string): string {
  const [command, path = '', time = '0'] = line.split(' ')
  if (command === 'try') {
    while (performance.timeOrigin + performance.now() < Number(time));
    const got = acquireLock(path, host)
    if (got.ok) held = got.value
    return got.ok ? `held ${got.value.nonce}` : JSON.stringify(got.error)
  }
  const released = held?.release()
  held = null
  return released?.ok === true ? released.value : 'nothing to release'
}

let pending = ''
process.stdin.setEncoding('utf8').on('data', (chunk: string) => {
  const lines = (pending + chunk).split('\n')
  pending = lines.pop() ?? ''
  for (const line of lines) writeSync(1, `${answer(line)}\n`)
})
