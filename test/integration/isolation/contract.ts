import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Box, ExecRequest, Isolation } from '../../../src/isolation/isolation.ts'
import type { ChildEnd } from '../../../src/process/run-child.ts'
import { killProcessesWith, leftoverKinds, newMark, processesWith, program, testEnv } from '../../support/processes.ts'
import { value } from '../../support/repositories.ts'
import { until } from '../../support/until.ts'

/** A backend over a new project, as the suite needs it: the project is a git work tree with one commit. */
export interface Staged {
  readonly isolation: Isolation
  readonly box: Box
  readonly project: string
  /** A directory of the host's that no agent sees. */
  readonly outside: string
  /** What `box` was opened for. */
  readonly runId: string
  /** Disposes the box and removes all of it. */
  end(): Promise<void>
}

export interface Contract {
  /** `secrets` are kept out of all output. */
  readonly stage: (secrets: readonly string[]) => Promise<Staged>
  /** What this backend cannot do, as far as its documents say so. */
  readonly traits?: {
    /** stdout and stderr of the child come as one. */
    readonly mergesStreams?: boolean
    /** A program that wiped its environment and left its session is not found. */
    readonly missesWiped?: boolean
  }
}

/** What every kind of box promises; called inside a `describe`. */
export function keepsContract({ stage, traits = {} }: Contract): void {
  let mark: string
  let staged: Staged
  const key = () => `key-${mark}-of-the-user`
  beforeEach(async () => {
    mark = newMark()
    staged = await stage([key()])
  })
  afterEach(async () => {
    await staged.end()
    killProcessesWith(mark)
  })

  const shell = (): string => (staged.isolation.programs === 'host' ? '/bin/sh' : 'sh')
  const request = (script: string, more: Partial<ExecRequest> = {}): ExecRequest => ({
    argv: [shell(), '-c', script],
    cwd: staged.project,
    env: testEnv,
    runId: staged.runId,
    onLine: () => undefined,
    ...more,
  })
  const run = async (script: string, more: Partial<ExecRequest> = {}): Promise<ChildEnd & { lines: string[] }> => {
    const lines: string[] = []
    const onLine: ExecRequest['onLine'] = (line) => void lines.push(line.bytes.toString())
    return { ...value(await staged.box.exec(request(script, { onLine, ...more }))), lines }
  }
  const inProject = (name: string): string => join(staged.project, name)

  it('runs a program with its stdin, environment and directory, under the id of the run', async () => {
    mkdirSync(inProject('sub dir'))
    value(await staged.box.refresh())
    const { cause, exitCode, lines } = await run('cat; pwd; echo "$A $RALPH_RUN_ID"; exit 5', {
      stdin: 'a prompt\n',
      env: { ...testEnv, A: 'b' },
      cwd: inProject('sub dir'),
    })
    expect({ cause, exitCode, lines }).toEqual({
      cause: 'exited',
      exitCode: 5,
      lines: ['a prompt', inProject('sub dir'), `b ${staged.runId}`],
    })
  })

  it('has nothing on stdin where nothing was given', async () => {
    expect(await run('cat; echo end', { timeoutMs: 60_000 })).toMatchObject({ cause: 'exited', lines: ['end'] })
  })

  it('passes arguments, variables and names of files on as they are', async () => {
    const names = ['-rf', 'a b', 'new\nline', `q'uo"te`, '$(touch planted)', '`x`', '*', 'ünï😀', '\\', '#', 'a;b&c|d']
    const { lines } = await run('', {
      argv: [shell(), '-c', 'printf "<%s>" "$@" "$ODD"; for name in "$@"; do : > "./in-$name"; done', 'name', ...names],
      env: { ...testEnv, ODD: names.join('|') },
    })
    expect(lines.join('\n')).toBe([...names, names.join('|')].map((name) => `<${name}>`).join(''))
    expect(names.filter((name) => !existsSync(inProject(`in-${name}`)))).toEqual([])
    expect(existsSync(inProject('planted'))).toBe(false)
  })

  it('takes a prompt of a megabyte and gives back sixteen', async () => {
    let bytes = 0
    const end = value(
      await staged.box.exec(
        request('wc -c; i=0; while [ $i -lt 16 ]; do head -c 1048575 /dev/zero | tr "\\0" x; echo; i=$((i+1)); done', {
          stdin: 'y'.repeat(1 << 20),
          stdoutFile: join(staged.outside, 'out'),
          onLine: (line) => void (bytes += line.bytes.length + line.droppedBytes + 1),
        }),
      ),
    )
    expect(end).toMatchObject({ cause: 'exited', exitCode: 0 })
    expect(readFileSync(join(staged.outside, 'out'), 'utf8').trimStart().startsWith('1048576\n')).toBe(true)
    expect(bytes).toBe(end.stdout.bytes)
    expect(bytes).toBeGreaterThan(16 << 20)
  })

  it('says of which signal a program died', async () => {
    const { exitCode, signal } = await run('kill -KILL $$')
    expect(signal ?? exitCode).toBe(signal === null ? 137 : 'SIGKILL')
  })

  it('ends what takes too long', async () => {
    const { cause } = await run(`exec ${program('sleeper')} ${mark} . slow`, { timeoutMs: 1500 })
    expect(cause).toBe('timeout')
    expect(processesWith(mark)).toEqual([])
  })

  it('ends what is silent for too long, and nothing that speaks', async () => {
    const script = `for i in 1 2 3 4 5 6; do echo $i; sleep 0.5; done; exec ${program('sleeper')} ${mark} . silent`
    expect(await run(script, { silenceMs: 1500 })).toMatchObject({
      cause: 'silent',
      lines: ['1', '2', '3', '4', '5', '6'],
    })
    expect(processesWith(mark)).toEqual([])
  })

  it('does not start what is aborted already', async () => {
    expect(await run('touch started', { signal: AbortSignal.abort() })).toMatchObject({ cause: 'aborted' })
    expect(existsSync(inProject('started'))).toBe(false)
  })

  it('leaves nothing within 8 seconds of an abort, although everything ignores TERM and has its own session', async () => {
    const controller = new AbortController()
    const stubborn = program('ignores-term')
    const script = `setsid ${stubborn} ${mark} . apart & ${stubborn} ${mark} . agent & while :; do [ -e apart ] && [ -e agent ] && break; done; echo ready; wait`
    let abortedAt = 0
    const onLine = (): void => {
      abortedAt = performance.now()
      controller.abort()
    }
    expect(await run(script, { signal: controller.signal, onLine })).toMatchObject({
      cause: 'aborted',
      tree: { survivors: [] },
    })
    expect(performance.now() - abortedAt).toBeLessThan(8000)
    expect(processesWith(mark)).toEqual([])
  })

  it('leaves none of the processes that a program left, whatever it did to hide them', async () => {
    const { lines } = await run(`${program('leaves-processes')} ${mark} . exit`)
    expect(lines).toEqual(['ready'])
    expect(leftoverKinds(mark)).toEqual(traits.missesWiped === true ? ['wiped'] : [])
  })

  it('ends from another process what is left of a run, and nothing of another one', async () => {
    const other = await stage([])
    try {
      const runs = [staged, other].map(({ box, project, runId }, index) =>
        box.exec(
          request(`exec ${program('sleeper')} ${mark} . run${index}`, { cwd: project, runId, timeoutMs: 60_000 }),
        ),
      )
      await until('both run', () => existsSync(inProject('run0')) && existsSync(join(other.project, 'run1')), 30_000)
      expect(await staged.isolation.endAll(staged.runId)).toMatchObject({ survivors: [] })
      const left = processesWith(mark).map(({ args }) => (args.includes('run0') ? 'run0' : 'run1'))
      expect([...new Set(left)]).toEqual(['run1'])
      await runs[0]
      expect(await other.isolation.endAll(other.runId)).toMatchObject({ survivors: [] })
      await runs[1]
      expect(processesWith(mark)).toEqual([])
    } finally {
      await other.end()
    }
  })

  it('lets no key of the user through: not to a line, not into a file, not into the end of stderr', async () => {
    const files = { stdoutFile: join(staged.outside, 'out'), stderrFile: join(staged.outside, 'err') }
    const script = `printf key-; sleep 0.05; printf ${mark}; sleep 0.05; echo -of-the-user; echo "a ${key()} b" >&2`
    const { lines, stderrTail } = await run(script, files)
    const written = [readFileSync(files.stdoutFile, 'utf8'), readFileSync(files.stderrFile, 'utf8')]
    expect([...lines, ...written, stderrTail].join('\n')).not.toContain(mark)
    expect(written.join('')).toContain('[redacted]')
    if (traits.mergesStreams === true) return
    expect({ lines, stderrTail, written }).toEqual({
      lines: ['[redacted]'],
      stderrTail: 'a [redacted] b\n',
      written: ['[redacted]\n', 'a [redacted] b\n'],
    })
  })

  it('writes no more of the output than it may', async () => {
    const stdoutFile = join(staged.outside, 'out')
    const { lines } = await run('echo 1234567890; echo abc', { stdoutFile, maxLogBytes: 9 })
    expect(lines).toEqual(['1234567890', 'abc'])
    expect(readFileSync(stdoutFile, 'utf8')).toBe('123456789')
  })

  it('shows the agent what the host wrote, and the host what the agent wrote', async () => {
    const path = inProject('told.txt')
    expect(await run('cat told.txt 2>/dev/null; echo first')).toMatchObject({ lines: ['first'] })
    writeFileSync(path, 'one\n')
    value(await staged.box.writeFile(path, Buffer.from('one\n')))
    expect(await run('cat told.txt; echo two > told.txt; echo answer > answer.txt')).toMatchObject({ lines: ['one'] })
    expect([readFileSync(path, 'utf8'), readFileSync(inProject('answer.txt'), 'utf8')]).toEqual(['two\n', 'answer\n'])
    writeFileSync(path, 'three\n')
    rmSync(inProject('answer.txt'))
    value(await staged.box.refresh())
    expect(await run('cat told.txt; ls answer.txt 2>/dev/null')).toMatchObject({ lines: ['three'] })
  })

  it('has the project, and what is in it, in a new box as well', async () => {
    await run('echo kept > kept.txt; git -c user.name=A -c user.email=a@b commit -q --allow-empty -m inside')
    value(await staged.box.renew())
    expect(await run('cat kept.txt; git log -1 --format=%s')).toMatchObject({ lines: ['kept', 'inside'] })
  })

  it('keeps two boxes of two projects apart', async () => {
    const other = await stage([])
    try {
      const script = 'echo $$ > mine; i=0; while [ $i -lt 20 ]; do echo line; i=$((i+1)); done; ls'
      const one = run(script)
      const two = other.box.exec(request(script, { cwd: other.project, runId: other.runId }))
      expect([(await one).exitCode, value(await two).exitCode]).toEqual([0, 0])
      await other.box.dispose()
      expect((await run('echo still here')).lines).toEqual(['still here'])
    } finally {
      await other.end()
    }
  })

  it('can be disposed twice, and leaves nothing that runs', async () => {
    await run('true')
    await staged.box.dispose()
    await staged.box.dispose()
    expect(processesWith(mark)).toEqual([])
  })
}
