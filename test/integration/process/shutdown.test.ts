import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { killProcessesWith, newMark, processesWith, program, testEnv } from '../../support/processes.ts'
import { scratch } from '../../support/scratch.ts'
import { until } from '../../support/until.ts'

let mark: string
let runner: ChildProcess
let out: string
let errors: string

beforeEach(() => {
  mark = newMark()
  out = ''
  errors = ''
})
afterEach(() => {
  runner.kill('SIGKILL')
  killProcessesWith(mark)
})

async function start(argv: readonly string[], isReady: () => boolean = () => out.includes('ready')): Promise<void> {
  const args = ['--import', 'tsx', program('shutdown-runner.ts'), ...argv]
  runner = spawn(process.execPath, args, { env: testEnv, stdio: ['ignore', 'pipe', 'pipe'] })
  runner.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()))
  runner.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  await until('the child runs', isReady, 30_000)
}

const exitCode = async (): Promise<number | null> => {
  if (runner.exitCode === null && runner.signalCode === null) await once(runner, 'exit')
  return runner.exitCode
}

describe('listenForShutdown', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('ends the child and its tree on %s', async (signal) => {
    await start([program('leaves-processes'), mark, scratch(), 'hang'])
    runner.kill(signal)
    expect(await exitCode()).toBe(0)
    await until('all was said', () => errors.includes('listeners'))
    expect(out).toContain(`ready\nfirst ${signal}\nend aborted\n`)
    expect(errors).toContain('listeners 0')
    expect(processesWith(mark).map(({ args }) => args.split(' ').at(-1))).toEqual(['wiped'])
  })

  it('kills everything at once on the second signal, whatever its kind', async () => {
    const child = `sleeper ${mark}`
    await start([program('ignores-term'), mark, scratch(), 'stubborn'], () => processesWith(child).length > 0)
    runner.kill('SIGINT')
    await until('the first was taken', () => out.includes('first SIGINT'))
    expect(processesWith(child).length).toBe(1)
    // Two signals within 50 ms are one keystroke that npm passed on a second time.
    await delay(100)
    runner.kill('SIGTERM')
    expect(await exitCode()).toBe(130)
    await until('all was said', () => out.includes('second'))
    expect(out).toContain('second SIGTERM')
    expect(processesWith(mark)).toEqual([])
  })

  it('goes on when its output is closed', async () => {
    await start([program('leaves-processes'), mark, scratch(), 'hang'])
    runner.stdout?.destroy()
    runner.kill('SIGTERM')
    expect(await exitCode()).toBe(0)
    await until('all was said', () => errors.includes('listeners'))
    expect(errors).toBe('listeners 0\n')
  })
})
