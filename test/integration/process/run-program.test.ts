import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { ProgramOutcome, ProgramResult, ProgramSpec } from '../../../src/process/program-result.ts'
import { runProgram } from '../../../src/process/run-program.ts'
import { killProcessesWith, newMark, processesWith, program, testEnv } from '../../support/processes.ts'
import { scratch } from '../../support/scratch.ts'
import { until } from '../../support/until.ts'

const sh = (script: string, more: Partial<ProgramSpec> = {}): ProgramSpec => ({
  program: '/bin/sh',
  args: ['-c', script],
  cwd: '/',
  env: testEnv,
  ...more,
})

function valueOf(outcome: ProgramOutcome): ProgramResult {
  if (!outcome.ok) throw new Error(outcome.error.code)
  return outcome.value
}

describe('runProgram', () => {
  it('gives stdout as bytes, the exit code and what was said on stderr', async () => {
    const result = valueOf(await runProgram(sh(String.raw`printf '\377\000a\n'; echo trouble >&2; exit 3`)))
    expect(result).toMatchObject({ end: 'exited', exitCode: 3, signal: null, stderrTail: 'trouble\n' })
    expect(result.stdout).toEqual(Buffer.from([0xff, 0, 0x61, 0x0a]))
  })

  it('names the signal that a program died of', async () => {
    expect(valueOf(await runProgram(sh('kill -9 $$')))).toMatchObject({
      end: 'exited',
      exitCode: null,
      signal: 'SIGKILL',
    })
  })

  it('passes stdin and closes it, and gives an empty one when there is none', async () => {
    const bytes = Buffer.alloc(3_000_000, 'abc\n')
    expect(valueOf(await runProgram(sh('cat', { stdin: bytes }))).stdout.equals(bytes)).toBe(true)
    expect(valueOf(await runProgram(sh('cat'))).stdout.length).toBe(0)
  })

  it('does not mind a program that does not read its stdin', async () => {
    expect(valueOf(await runProgram(sh('exit 0', { stdin: Buffer.alloc(3_000_000) })))).toMatchObject({ exitCode: 0 })
  })

  it('gives exactly the environment and the working directory it was told', async () => {
    const cwd = scratch()
    const env = { A: 'b', 'odd.name': 'c' }
    const result = valueOf(await runProgram({ program: '/usr/bin/env', args: [], cwd, env }))
    expect(result.stdout.toString()).toBe('A=b\nodd.name=c\n')
    expect(valueOf(await runProgram(sh('pwd', { cwd }))).stdout.toString()).toBe(`${cwd}\n`)
  })

  it('kills what takes too long', async () => {
    const result = valueOf(await runProgram(sh('echo a; exec sleep 100', { timeoutMs: 100 })))
    expect(result).toMatchObject({ end: 'timeout', exitCode: null, signal: 'SIGKILL' })
    expect(result.stdout.toString()).toBe('a\n')
  })

  it('kills what prints more than it may', async () => {
    const result = valueOf(await runProgram(sh('exec yes', { maxOutputBytes: 5 })))
    expect(result.end).toBe('output-cap')
    expect(result.stdout.toString()).toBe('y\ny\ny')
  })

  it('kills on abort, also when that was long ago', async () => {
    const controller = new AbortController()
    const running = runProgram(sh('exec sleep 100', { signal: controller.signal }))
    controller.abort()
    expect(valueOf(await running).end).toBe('aborted')
    expect(valueOf(await runProgram(sh('exec sleep 100', { signal: AbortSignal.abort() }))).end).toBe('aborted')
  })

  it('lets go of the signal of a run that goes on', async () => {
    const { signal } = new AbortController()
    await runProgram(sh('exit 0', { signal }))
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('keeps the end of a long stderr', async () => {
    const result = valueOf(await runProgram(sh('yes | head -c 300000 >&2; echo last >&2')))
    expect(result.stderrTail.length).toBe(65_536)
    expect(result.stderrTail.endsWith('y\nlast\n')).toBe(true)
  })

  it('outlives 100 MB of control characters on stderr: escaping them all is a fatal error of V8', async () => {
    const result = valueOf(await runProgram(sh('head -c 100000000 /dev/zero >&2; exit 1')))
    expect(result).toMatchObject({ end: 'exited', exitCode: 1 })
    expect(result.stderrTail.length).toBe(65_536)
  })

  it.each([
    ['a program that is not there', { program: '/nowhere/git' }, 'ENOENT'],
    ['a file that is not executable', { program: '/etc/passwd' }, 'EACCES'],
    ['a working directory that is not there', { cwd: '/nowhere' }, /no directory \/nowhere|ENOENT/],
    ['an argument that is too long', { args: ['x'.repeat(200_000)] }, 'E2BIG'],
    ['an argument with a NUL', { args: ['a\0b'] }, /ERR_INVALID_ARG_VALUE/],
  ])('has a value for %s', async (_, more, code) => {
    const outcome = await runProgram(sh('exit 0', more))
    expect(outcome).toMatchObject({ ok: false, error: { reason: 'cannot-start' } })
    expect(outcome.ok ? '' : outcome.error.code).toMatch(code)
  })

  it('kills the whole group of what takes too long', async () => {
    const mark = newMark()
    const dir = scratch()
    const script = `${program('sleeper')} ${mark} ${dir} a & while :; do :; done`
    const running = runProgram(sh(script, { timeoutMs: 500 }))
    await until('the sleeper runs', () => processesWith(mark).length > 1)
    expect(valueOf(await running).end).toBe('timeout')
    await until('the sleeper is gone', () => processesWith(mark).length === 0)
  })

  it('does not wait for a daemon that holds its stdout', async () => {
    const mark = newMark()
    const dir = scratch()
    // The program itself is in time.
    const script = `echo done; ${program('sleeper')} ${mark} ${dir} a & exit 0`
    const result = valueOf(await runProgram(sh(script, { timeoutMs: 1500 })))
    expect(result).toMatchObject({ end: 'exited', exitCode: 0 })
    expect(result.stdout.toString()).toBe('done\n')
    expect(result.durationMs).toBeLessThan(5000)
    await until('the daemon has begun', () => processesWith(`sleeper ${mark}`).length > 0)
    killProcessesWith(mark)
  })

  it('has a session of its own, without a terminal', async () => {
    const result = valueOf(await runProgram(sh('exec cat /proc/self/stat')))
    const [, pid, , , , session] = /^(\d+) \((.*)\) (\S+) (\d+) (\d+) /.exec(result.stdout.toString()) ?? []
    expect(session).toBe(pid)
  })
})
