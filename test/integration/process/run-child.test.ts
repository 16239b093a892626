import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { killAllChildren } from '../../../src/process/live-children.ts'
import { runChild, type ChildEnd, type ChildSpec } from '../../../src/process/run-child.ts'
import {
  killProcessesWith,
  masked,
  needsMask,
  needsNamespace,
  newMark,
  newRunId,
  noNamespace,
  probed,
  processesWith,
  program,
  testEnv,
} from '../../support/processes.ts'
import { scratch } from '../../support/scratch.ts'
import { until } from '../../support/until.ts'

const hurried = { termMs: 300, killMs: 3000 }
let mark: string
let dir: string
let lines: string[]

beforeEach(() => {
  mark = newMark()
  dir = scratch()
  lines = []
})
afterEach(() => killProcessesWith(mark))

const levels = [
  { level: 'tree', title: 'without a namespace', containment: noNamespace },
  { level: 'namespace', title: `in a namespace ${needsNamespace}`, containment: probed },
  { level: 'mask', title: `in a mask ${needsMask}`, containment: masked },
] as const

describe.each(levels)('runChild $title', ({ level, containment }) => {
  const possible = containment.level === level

  async function run(script: string, more: Partial<ChildSpec> = {}): Promise<ChildEnd> {
    const result = await runChild({
      argv: ['/bin/sh', '-c', script],
      cwd: '/',
      env: { ...testEnv, MARK: mark, DIR: dir },
      runId: newRunId(),
      containment,
      onLine: (line) => void lines.push(line.bytes.toString()),
      ...more,
    })
    if (!result.ok) throw new Error(JSON.stringify(result.error))
    return result.value
  }

  it.runIf(possible)('gives lines, exit code, bytes and the end of stderr', async () => {
    const end = await run('cat; printf "a\\r\\nb"; echo trouble >&2; exit 7', { stdin: 'prompt\n' })
    expect(lines).toEqual(['prompt', 'a', 'b'])
    expect(end).toMatchObject({
      cause: 'exited',
      exitCode: 7,
      signal: null,
      stdout: { bytes: 11, notLoggedBytes: 0, logError: null },
      stderr: { bytes: 8 },
      stderrTail: 'trouble\n',
      tree: { ended: 0, killed: 0, survivors: [] },
    })
  })

  it.runIf(possible)('gives exactly the environment it was told, with the id of the run', async () => {
    const runId = newRunId()
    await run('', { argv: ['/usr/bin/env'], env: { A: 'b c', 'odd.name': 'x', BASH_ENV: '/nowhere' }, runId })
    const added = /^(?:_|SHLVL|PWD|OLDPWD)=/
    expect(lines.filter((line) => !added.test(line)).toSorted()).toEqual(
      ['A=b c', 'BASH_ENV=/nowhere', `RALPH_RUN_ID=${runId}`, 'odd.name=x'].toSorted(),
    )
  })

  it.runIf(possible)('passes arguments that a shell would take apart', async () => {
    const args = ['', 'a b', '$HOME', '"; exit 9; "', '-c', '--', '*', 'é\n']
    await run('', { argv: ['/usr/bin/printf', '<%s>\\n', ...args] })
    expect(lines.join('\n')).toBe(args.map((arg) => `<${arg}>`).join('\n'))
  })

  it.runIf(possible)('names the signal that the child died of', async () => {
    expect(await run('kill -SEGV $$')).toMatchObject({ cause: 'exited', exitCode: null, signal: 'SIGSEGV' })
    expect(await run('kill -KILL $$')).toMatchObject({ cause: 'exited', exitCode: null, signal: 'SIGKILL' })
  })

  it.runIf(possible)('says nothing of its own on stderr when the child is killed', async () => {
    expect((await run('kill -KILL $$')).stderrTail).toBe('')
  })

  it.runIf(possible)('keeps the raw bytes of both streams in files that only we may read', async () => {
    const stdoutFile = join(dir, 'out')
    const stderrFile = join(dir, 'err')
    await run('printf "a\\r\\n\\0b"; printf oops >&2', { stdoutFile, stderrFile })
    await run('echo again', { stdoutFile, stderrFile })
    expect(readFileSync(stdoutFile, 'latin1')).toBe('a\r\n\0bagain\n')
    expect(readFileSync(stderrFile, 'latin1')).toBe('oops')
    expect(statSync(stdoutFile).mode & 0o777).toBe(0o600)
  })

  it.runIf(possible)('stops writing a file at its cap and says how much is missing; lines go on', async () => {
    const stdoutFile = join(dir, 'out')
    const end = await run('yes | head -n 500000', { stdoutFile, maxLogBytes: 300_000 })
    expect(end.stdout).toEqual({ bytes: 1_000_000, notLoggedBytes: 700_000, logError: null })
    expect(statSync(stdoutFile).size).toBe(300_000)
    expect(lines.length).toBe(500_000)
  })

  it.runIf(possible)('goes on when the file cannot take more, and says why', async () => {
    const end = await run('echo a; exit 5', { stdoutFile: '/dev/full' })
    expect(end).toMatchObject({ exitCode: 5, stdout: { bytes: 2, notLoggedBytes: 2, logError: 'ENOSPC' } })
    expect(lines).toEqual(['a'])
  })

  it.runIf(possible)('names how much of a line was too long', async () => {
    const dropped: number[] = []
    await run('head -c 1000 /dev/zero; echo; echo next', {
      maxLineBytes: 100,
      onLine: (line) => void dropped.push(line.droppedBytes),
    })
    expect(dropped).toEqual([900, 0])
  })

  it.runIf(possible)('ends a child that runs too long, by TERM, although it has no handler for it', async () => {
    const end = await run('echo a; exec sleep 1000', { timeoutMs: 500 })
    expect(end).toMatchObject({ cause: 'timeout', exitCode: null, signal: 'SIGTERM', tree: { killed: 0 } })
    expect(end.durationMs).toBeLessThan(4000)
  })

  it.runIf(possible)('lets a child end in its own way on TERM', async () => {
    const controller = new AbortController()
    const end = await run('trap "echo bye; exit 3" TERM; echo a; while :; do sleep 0.01; done', {
      signal: controller.signal,
      onLine: (line) => {
        lines.push(line.bytes.toString())
        controller.abort()
      },
    })
    expect(end).toMatchObject({ cause: 'aborted', exitCode: 3, signal: null })
    expect(lines).toEqual(['a', 'bye'])
  })

  it.runIf(possible)('kills a child that ignores TERM, after the time it was given', async () => {
    const argv = [program('ignores-term'), mark, dir, 'stubborn'] as const
    const controller = new AbortController()
    const running = run('', { argv, signal: controller.signal, grace: hurried })
    await until('it ignores TERM', () => existsSync(join(dir, 'stubborn')))
    const abortedAt = performance.now()
    controller.abort()
    expect(await running).toMatchObject({ cause: 'aborted', signal: 'SIGKILL' })
    expect(performance.now() - abortedAt).toBeGreaterThanOrEqual(hurried.termMs)
    expect(processesWith(mark)).toEqual([])
  })

  it.runIf(possible)('ends a stopped child by TERM', async () => {
    const end = await run('kill -STOP $$', { timeoutMs: 500 })
    expect(end).toMatchObject({ cause: 'timeout', signal: 'SIGTERM', tree: { killed: 0 } })
  })

  it.runIf(possible)('ends a process that forks and exits faster than it can be looked for', async () => {
    await run('', { argv: [program('forks-and-exits'), mark, '2000', dir], grace: hurried })
    const hops = (): number => statSync(join(dir, 'hops')).size
    const before = hops()
    // A hop takes some milliseconds; only time shows that there is none.
    await delay(200)
    expect(hops()).toBe(before)
    expect(before).toBeGreaterThan(0)
  })

  it.runIf(possible)('ends a silent child, but not one whose consumer expects silence', async () => {
    expect(await run('echo a; exec sleep 1000', { silenceMs: 500 })).toMatchObject({ cause: 'silent' })
    const end = await run('echo tool; sleep 1.2; echo done', {
      silenceMs: 500,
      onLine: (line, control) => control.expectSilence(line.bytes.toString() === 'tool'),
    })
    expect(end).toMatchObject({ cause: 'exited', exitCode: 0 })
  })

  it.runIf(possible)('counts stderr as a sign of life', async () => {
    const end = await run('for i in 1 2 3 4 5; do sleep 0.3; echo . >&2; done', { silenceMs: 1000 })
    expect(end).toMatchObject({ cause: 'exited', exitCode: 0 })
  })

  it.runIf(possible)('ends on abort, and a second abort or a later limit changes nothing', async () => {
    const controller = new AbortController()
    const running = run('trap "" TERM; echo started; while :; do sleep 0.01; done', {
      signal: controller.signal,
      timeoutMs: 2000,
      grace: { termMs: 2200, killMs: 3000 },
    })
    await until('the child prints', () => lines.length > 0)
    controller.abort()
    controller.abort()
    expect(await running).toMatchObject({ cause: 'aborted', signal: 'SIGKILL' })
  })

  it.runIf(possible)('ends a child that floods while it is being ended', async () => {
    const controller = new AbortController()
    const running = run('', {
      argv: [program('floods-on-term'), mark],
      signal: controller.signal,
      grace: hurried,
      onLine: (line) => void (line.bytes.length < 20 && lines.push(line.bytes.toString())),
    })
    await until('it floods', () => lines.includes('started'))
    controller.abort()
    expect(await running).toMatchObject({ cause: 'aborted', signal: 'SIGKILL', tree: { survivors: [] } })
    expect(processesWith(mark)).toEqual([])
  })

  it.runIf(possible)('is not held by an orphan that has its stdout', async () => {
    const end = await run(
      `echo first; ${program('sleeper')} $MARK $DIR orphan & while [ ! -e $DIR/orphan ]; do :; done`,
    )
    expect(end).toMatchObject({ cause: 'exited', exitCode: 0 })
    expect(lines).toEqual(['first'])
    expect(processesWith(mark)).toEqual([])
  })

  it.runIf(possible)('stops the child while its consumer is busy, and loses nothing', async () => {
    let release: () => void = () => undefined
    const blocked = new Promise<void>((resolve) => {
      release = resolve
    })
    let bytes = 0
    const running = run('echo go; yes 0123456789abcdef | head -c 17000000; : > $DIR/written', {
      silenceMs: 1000,
      onLine: (line) => {
        bytes += line.bytes.length + 1
        return line.bytes.toString() === 'go' ? blocked : undefined
      },
    })
    await until('the first line came', () => bytes > 0)
    // Nothing can be waited for that does not happen: the child had more than a second to write 17 MB, and could not.
    await delay(1200)
    expect(() => statSync(join(dir, 'written'))).toThrow('ENOENT')
    release()
    expect(await running).toMatchObject({ cause: 'exited', exitCode: 0, stdout: { bytes: 17_000_003 } })
    expect(bytes).toBe(17_000_003)
  })

  it.runIf(possible)('delivers everything to a slow consumer although the child is long gone', async () => {
    const end = await run('echo 1; echo 2; printf 3', {
      onLine: async (line) => {
        await delay(line.bytes.toString() === '2' ? 1 : 2500)
        lines.push(line.bytes.toString())
      },
    })
    expect(end.cause).toBe('exited')
    expect(lines).toEqual(['1', '2', '3'])
  })

  it.runIf(possible)('gives no more lines to a slow consumer once an ended child is given up', async () => {
    let release: () => void = () => undefined
    const blocked = new Promise<void>((resolve) => {
      release = resolve
    })
    const end = await run('echo 1; echo 2; exec sleep 1000', {
      timeoutMs: 500,
      onLine: (line) => {
        lines.push(line.bytes.toString())
        return blocked
      },
    })
    expect(end.cause).toBe('timeout')
    release()
    await delay(10)
    expect(lines).toEqual(['1'])
  })

  it.runIf(possible)(
    'takes no more than was on its way from a daemon that we cannot see and that never stops',
    async () => {
      const daemon = `(env -i PATH="$PATH" setsid sh -c ': > $0/wiped; exec yes $1-0123456789abcdef' $DIR $MARK &)`
      const end = await run(`${daemon}; while [ ! -e $DIR/wiped ]; do :; done`, { onLine: () => undefined })
      expect(end).toMatchObject({ cause: 'exited', exitCode: 0 })
      expect(end.stdout.bytes).toBeLessThan(9 * 1024 ** 2)
      if (level === 'tree') expect(end.stdout.bytes).toBeGreaterThan(8 * 1024 ** 2)
    },
  )

  it.runIf(possible)('leaves nothing behind that a second Ctrl+C would still end', async () => {
    const runId = newRunId()
    await run('exit 0', { runId })
    const later = spawn(program('sleeper'), [mark, dir, 'later'], { env: { ...testEnv, RALPH_RUN_ID: runId } })
    await until('it runs', () => existsSync(join(dir, 'later')))
    await killAllChildren()
    expect(processesWith(mark)).toHaveLength(1)
    later.kill('SIGKILL')
  })

  it.runIf(possible)('ends the child and throws when the consumer has a bug', async () => {
    const running = run(`echo a; exec ${program('sleeper')} $MARK $DIR child`, {
      onLine: () => {
        throw new Error('a bug')
      },
    })
    await expect(running).rejects.toThrow('a bug')
    expect(processesWith(mark)).toEqual([])
  })

  it.runIf(possible)(
    'throws it also when the child is gone and a daemon that we cannot see has its stderr',
    async () => {
      const daemon = `(env -i PATH="$PATH" setsid sh -c '"$@" >/dev/null &' sh ${program('sleeper')} $MARK $DIR wiped &)`
      const running = run(`${daemon}; while [ ! -e $DIR/wiped ]; do :; done; echo a`, {
        onLine: async () => {
          await delay(500)
          throw new Error('a late bug')
        },
      })
      await expect(running).rejects.toThrow('a late bug')
    },
  )

  it.runIf(possible)('does not mind a child that does not read its stdin', async () => {
    expect(await run('exit 0', { stdin: Buffer.alloc(3_000_000) })).toMatchObject({ exitCode: 0 })
  })

  it.runIf(possible)('does not start what was aborted before', async () => {
    expect(await run(': > $DIR/started', { signal: AbortSignal.abort() })).toMatchObject({ cause: 'aborted' })
    expect(() => statSync(join(dir, 'started'))).toThrow('ENOENT')
  })

  it.runIf(possible)('lets scripts open their streams by name, as in a terminal', async () => {
    const script = 'cat /dev/stdin | tee /dev/stderr > /dev/stdout; echo more > /dev/stderr'
    const end = await run(script, { stdin: 'text\n' })
    expect(lines).toEqual(['text'])
    expect(end).toMatchObject({ exitCode: 0, stderrTail: 'text\nmore\n' })
  })

  it.runIf(possible)('works where there is no room for temporary files', async () => {
    const before = process.env['TMPDIR']
    process.env['TMPDIR'] = '/nowhere'
    try {
      // More than are in store, so that the last ones get no pipe.
      for (let round = 0; round < 9; round++) await run('exit 0')
      expect(await run('cat; echo b >&2', { stdin: 'a' })).toMatchObject({ exitCode: 0, stderrTail: 'b\n' })
      expect(await run('exit 0', { stdin: Buffer.alloc(3_000_000) })).toMatchObject({ exitCode: 0 })
    } finally {
      if (before === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = before
    }
    expect(lines).toEqual(['a'])
  })

  it.runIf(possible)('keeps no files open but its store of pipes, and no name in the temporary directory', async () => {
    const openFiles = (): number => readdirSync('/proc/self/fd').length
    const before = process.env['TMPDIR']
    process.env['TMPDIR'] = dir
    try {
      await run('exit 0', { stdin: 'a' })
      const open = openFiles()
      for (let round = 0; round < 20; round++) {
        await run('echo a', { stdin: 'a' })
        await expect(run('', { argv: ['/nowhere/agent'], stdin: 'a' })).rejects.toThrow('ENOENT')
        await expect(run('', { cwd: '/nowhere', stdin: 'a' })).rejects.toThrow('ENOENT')
      }
      // Sixteen pipes may be in store; these sixty starts would have left more.
      await until('all are closed', () => openFiles() <= open + 32)
      expect(readdirSync(dir)).toEqual([])
    } finally {
      if (before === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = before
    }
  })

  it.runIf(possible)('has a session of its own', async () => {
    // Seen from here, not from inside: a namespace shows every session that began outside of it as 0.
    const sessionOf = (pid: number | 'self'): number =>
      Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[3])
    const sessions: number[] = []
    await run(`echo up; sleep 60; : ${mark}`, {
      timeoutMs: 1000,
      grace: hurried,
      onLine: () => void sessions.push(...processesWith(mark).map(({ pid }) => sessionOf(pid))),
    })
    expect(sessions).not.toEqual([])
    expect(sessions).not.toContain(sessionOf('self'))
    expect(sessions).not.toContain(0)
  })

  it.runIf(possible).each([
    ['a program that is not there', { argv: ['/nowhere/agent'] }, 'ENOENT'],
    ['a file that is not executable', { argv: ['/etc/passwd'] }, 'EACCES'],
    ['a working directory that is not there', { cwd: '/nowhere' }, 'ENOENT: no directory /nowhere'],
    ['an argument that is too long', { argv: ['/bin/true', 'x'.repeat(200_000)] }, 'E2BIG'],
    ['an argument with a NUL', { argv: ['/bin/true', 'a\0'] }, 'ERR_INVALID_ARG_VALUE'],
    ['a file that cannot be opened', { stdoutFile: '/nowhere/out' }, 'ENOENT'],
  ] as const)('has a value for %s', async (_, more, code) => {
    const spec: ChildSpec = {
      argv: ['/bin/true'],
      cwd: '/',
      env: testEnv,
      runId: newRunId(),
      containment,
      onLine: () => undefined,
      ...more,
    }
    expect(await runChild(spec)).toMatchObject({ ok: false, error: { code } })
  })
})
