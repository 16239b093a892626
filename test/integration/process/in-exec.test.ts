import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { systemProcesses } from '../../../src/process/system-processes.ts'
import { scratch } from '../../support/scratch.ts'

const isLinux = process.platform === 'linux'

it.runIf(isLinux)('a process that is always in the middle of an exec is found each time', async () => {
  const program = join(scratch(), 'again')
  writeFileSync(program, 'exec sh "$0"\n')
  const child = spawn('sh', [program], { env: { PATH: process.env['PATH'], MARK: 'mine' }, stdio: 'ignore' })
  try {
    const { pid = 0 } = child
    const system = systemProcesses()
    for (let look = 0; look < 300; look++) {
      const entry = await system.identify(pid)
      if (entry === null) throw new Error('it is gone')
      const table = new Map([[pid, { ...entry, ppid: 0, groupId: 0, sessionId: 0, ended: false }]])
      expect(await system.carriers(table, 'MARK=mine', 0), `look ${look}`).toEqual([pid])
    }
  } finally {
    child.kill('SIGKILL')
  }
})
