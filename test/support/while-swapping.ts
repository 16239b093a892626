import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'vitest'
import { bundleProgram } from './bundle-program.ts'
import { scratch } from './scratch.ts'

/** Does something for one second while another process exchanges `name` and `evil` as fast as it can. */
export async function whileSwapping(name: string, evil: string, action: () => void): Promise<void> {
  const swapper = spawn(process.execPath, [bundleProgram('path-swapper', scratch()), name, evil], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await once(swapper.stdout, 'data')
  const end = performance.now() + 1000
  try {
    while (performance.now() < end) action()
  } finally {
    const stillSwapping = swapper.exitCode === null && swapper.signalCode === null
    const exited = stillSwapping ? once(swapper, 'exit') : Promise.resolve([-1])
    swapper.stdin.end()
    // Anything but 0 means that it had given up, and nothing was proven.
    expect(await exited).toEqual([0, null])
  }
}
