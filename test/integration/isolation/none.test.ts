import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ExecRequest } from '../../../src/isolation/isolation.ts'
import { directBox, directIsolation } from '../../../src/isolation/none.ts'
import {
  killProcessesWith,
  leftoverKinds,
  newMark,
  newRunId,
  noNamespace,
  probed,
  processesWith,
  program,
  testEnv,
} from '../../support/processes.ts'
import { value } from '../../support/repositories.ts'
import { scratch } from '../../support/scratch.ts'
import { until } from '../../support/until.ts'

let mark: string
let dir: string
beforeEach(() => {
  mark = newMark()
  dir = scratch()
})
afterEach(() => killProcessesWith(mark))

const levels = [...new Set([noNamespace, probed])].map((containment) => ({ level: containment.level, containment }))

describe.each(levels)('direct isolation ($level)', ({ level, containment }) => {
  const isolation = directIsolation({ containment })
  const box = directBox({ containment })
  const request = (argv: ExecRequest['argv'], more: Partial<ExecRequest> = {}): ExecRequest => ({
    argv,
    cwd: dir,
    env: testEnv,
    runId: newRunId(),
    onLine: () => undefined,
    ...more,
  })

  it('says that it contains nothing, and how surely processes end', () => {
    expect(isolation).toMatchObject({ name: 'none', boxed: false })
    expect(isolation.description).toContain('no box')
    expect(isolation.description).toContain(containment.reason)
    expect(isolation.description.includes('as far as it can be found')).toBe(level === 'tree')
  })

  it('runs a program with its stdin, environment, directory and log, under the id of the run', async () => {
    const runId = newRunId()
    const lines: string[] = []
    const stdoutFile = join(dir, 'out')
    const end = value(
      await box.exec(
        request(['/bin/sh', '-c', 'cat; pwd; echo $A $RALPH_RUN_ID; exit 5'], {
          runId,
          stdin: 'prompt\n',
          env: { ...testEnv, A: 'b' },
          stdoutFile,
          maxLogBytes: 9,
          onLine: (line) => void lines.push(line.bytes.toString()),
        }),
      ),
    )
    expect(end).toMatchObject({ cause: 'exited', exitCode: 5 })
    expect(lines).toEqual(['prompt', dir, `b ${runId}`])
    expect(readFileSync(stdoutFile, 'utf8')).toBe(`prompt\n${dir}`.slice(0, 9))
  })

  it('lets no key of the user through: not to a line, not into a file, not into the end of stderr', async () => {
    const key = `key-${mark}-of-the-user`
    const lines: string[] = []
    const files = { stdoutFile: join(dir, 'out'), stderrFile: join(dir, 'err') }
    const careful = directBox({ containment, secrets: [key] })
    const script = `printf key-; sleep 0.05; printf ${mark}; sleep 0.05; echo -of-the-user; echo "a ${key} b" >&2; printf key- | tee /dev/stderr`
    const end = value(
      await careful.exec(
        request(['/bin/sh', '-c', script], { ...files, onLine: (line) => void lines.push(line.bytes.toString()) }),
      ),
    )
    expect(lines).toEqual(['[redacted]', 'key-'])
    expect(end.stderrTail).toBe('a [redacted] b\nkey-')
    expect(readFileSync(files.stdoutFile, 'utf8')).toBe('[redacted]\nkey-')
    expect(readFileSync(files.stderrFile, 'utf8')).toBe('a [redacted] b\nkey-')
  })

  it('leaves nothing within 8 seconds of an abort, although everything ignores TERM and has its own session', async () => {
    const controller = new AbortController()
    const stubborn = program('ignores-term')
    const script = `setsid ${stubborn} ${mark} ${dir} apart & exec ${stubborn} ${mark} ${dir} agent`
    const running = box.exec(request(['/bin/sh', '-c', script], { signal: controller.signal }))
    await until('both ignore TERM', () => existsSync(join(dir, 'apart')) && existsSync(join(dir, 'agent')))
    const abortedAt = performance.now()
    controller.abort()
    expect(value(await running)).toMatchObject({ cause: 'aborted', tree: { survivors: [] } })
    expect(performance.now() - abortedAt).toBeLessThan(8000)
    expect(processesWith(mark)).toEqual([])
  })

  it('gives what it ends the time that it was told to give', async () => {
    const hurried = directBox({ containment, grace: { termMs: 100, killMs: 3000 } })
    const stubborn = [program('ignores-term'), mark, dir, 'agent'] as const
    const controller = new AbortController()
    const running = hurried.exec(request(stubborn, { signal: controller.signal }))
    await until('it ignores TERM', () => existsSync(join(dir, 'agent')))
    const abortedAt = performance.now()
    controller.abort()
    value(await running)
    expect(performance.now() - abortedAt).toBeLessThan(3900)
  })

  it('ends what an earlier process of the run left, and nothing of another run', async () => {
    const runId = newRunId()
    for (const [id, name] of [
      [runId, 'mine'],
      [newRunId(), 'other'],
    ] as const) {
      const env = { ...testEnv, RALPH_RUN_ID: id }
      spawn(program('sleeper'), [mark, dir, name], { env, detached: true, stdio: 'ignore' }).unref()
      await until('it runs', () => existsSync(join(dir, name)))
    }
    expect(await isolation.endAll(runId)).toMatchObject({ ended: 1, survivors: [] })
    expect(leftoverKinds(mark)).toEqual(['other'])
  })
})
