import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recallCheck } from '../../../src/checks/recall-check.ts'
import { runCheck, type RunCheckRequest } from '../../../src/checks/run-check.ts'
import { directBox } from '../../../src/isolation/none.ts'
import type { CheckResult } from '../../../src/model/check-result.ts'
import { findShell } from '../../../src/process/find-shell.ts'
import {
  killProcessesWith,
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

const hurried = { termMs: 300, killMs: 3000 }
const bash = value(findShell({ path: testEnv.PATH, forbiddenRoot: null }))
let project: string
let logDirectory: string
let mark: string

beforeEach(() => {
  const root = scratch()
  project = join(root, 'project')
  mkdirSync(project)
  logDirectory = join(root, 'state/checks')
  mark = newMark()
})
afterEach(() => killProcessesWith(mark))

const levels = [...new Set([noNamespace, probed])].map((containment) => ({ level: containment.level, containment }))

function run(command: string, more: Partial<RunCheckRequest> = {}, containment = probed): Promise<CheckResult> {
  const box = directBox({ containment, grace: hurried })
  const request = {
    command,
    iteration: 3,
    shell: bash,
    project,
    env: { ...testEnv, MARK: mark },
    runId: newRunId(),
    logDirectory,
    timeoutMs: 60_000,
    maxOutputChars: 5000,
    ...more,
  }
  return runCheck(request, (asked) => box.exec(asked)).then(value)
}

describe.each(levels)('runCheck ($level)', ({ containment }) => {
  it('runs in the project and tells exit code, time and output', async () => {
    const result = await run('pwd; exit 3', {}, containment)
    expect(result).toMatchObject({
      command: 'pwd; exit 3',
      exitCode: 3,
      output: project,
      trouble: null,
      cannotStart: false,
    })
    expect(result.durationMs).toBeGreaterThan(0)
  })

  it('keeps stdout and stderr in the order in which they were written, in a log that only we may read', async () => {
    const script = 'echo 1; echo 2 >&2; echo 3; echo 4 > /dev/stderr; printf "5\\r\\n6"'
    const { log, output } = await run(script, {}, containment)
    expect(readFileSync(log, 'utf8')).toBe('1\n2\n3\n4\n5\r\n6')
    expect(output).toBe('1\n2\n3\n4\n5\n6')
    expect(statSync(log).mode & 0o777).toBe(0o600)
    expect(statSync(logDirectory).mode & 0o777).toBe(0o700)
  })

  it('gives a time-out no exit code, and ends all of it', async () => {
    const command = `trap 'exit 0' TERM; ${program('sleeper')} $MARK . child & echo on; while :; do sleep 0.01; done`
    const result = await run(command, { timeoutMs: 1000 }, containment)
    expect(result).toMatchObject({ exitCode: null, trouble: 'ran longer than 1 s', cannotStart: false })
    expect(processesWith(mark)).toEqual([])
  })

  it('says when it was interrupted', async () => {
    const controller = new AbortController()
    const running = run(': > started; exec sleep 1000', { signal: controller.signal }, containment)
    await until('it runs', () => existsSync(join(project, 'started')))
    controller.abort()
    expect(await running).toMatchObject({ exitCode: null, trouble: 'interrupted' })
  })

  it('names the signal that it died of', async () => {
    expect(await run('kill -SEGV $$', {}, containment)).toMatchObject({
      exitCode: null,
      trouble: 'was ended by SIGSEGV',
    })
  })

  it('leaves nothing running', async () => {
    const daemon = `setsid ${program('sleeper')} $MARK . daemon & while [ ! -e daemon ]; do :; done`
    expect(await run(daemon, {}, containment)).toMatchObject({ exitCode: 0 })
    expect(processesWith(mark)).toEqual([])
  })
})

describe('the command', () => {
  it.each([
    ['with quotes', `echo "a 'b'" 'c "d"' \\$HOME`, `a 'b' c "d" $HOME`],
    ['with a comment at its end', 'echo a # b', 'a'],
    ['with several lines', 'echo a\necho b', 'a\nb'],
    ['with a here-document', 'cat <<END\na\nEND\n', 'a'],
    ['of bash', '[[ a == a ]] && echo ${BASH_VERSION:+bash}', 'bash'],
    ['that begins with a dash', '-x 2>/dev/null || echo no option', 'no option'],
    ['without arguments of its own', 'echo "$#"', '0'],
    ['that moves its own streams', 'exec 2>/dev/null; echo a; echo b >&2', 'a'],
    ['that reads', 'cat; echo end', 'end'],
  ])('%s is run as it was written', async (_, command, output) => {
    expect(await run(command)).toMatchObject({ exitCode: 0, output })
  })

  it('is not changed by what shells run first', async () => {
    const rc = join(project, 'rc')
    writeFileSync(rc, 'echo planted')
    writeFileSync(join(project, '.bashrc'), 'echo planted')
    const { output } = await run('echo a', { env: { ...testEnv, HOME: project, ENV: rc } })
    expect(output).toBe('a')
  })

  it('has one shell as far as anybody can see: a BASH_ENV that the user passes runs once', async () => {
    const rc = join(project, 'rc')
    writeFileSync(rc, 'echo once')
    expect((await run('echo a', { env: { ...testEnv, BASH_ENV: rc } })).output).toBe('once\na')
  })

  it('gets exactly its environment', async () => {
    const { output } = await run('env', { env: { PATH: testEnv.PATH, 'odd.name': 'x' } })
    const names = output.split('\n').map((line) => line.split('=')[0] ?? '')
    const added = new Set(['_', 'SHLVL', 'PWD', 'OLDPWD', 'RALPH_RUN_ID'])
    expect(names.filter((name) => !added.has(name)).toSorted()).toEqual(['PATH', 'odd.name'])
  })

  it('is run by sh where there is no bash', async () => {
    const result = await run('echo a; echo b >&2; exit 4', { shell: '/bin/sh' })
    expect(result).toMatchObject({ exitCode: 4, output: 'a\nb' })
  })

  it.each([
    ['is not on PATH', 'no-such-program --all', true, 127],
    ['is missing outside the project', '/nowhere/check', true, 127],
    ['is a script of the project that is not there yet', './check.sh', false, 127],
    ['is a script of the project that is not executable', './script', false, 126],
  ])('that %s', async (_, command, cannotStart, exitCode) => {
    writeFileSync(join(project, 'script'), '#!/bin/sh\n')
    chmodSync(join(project, 'script'), 0o644)
    for (const shell of [bash, '/bin/sh']) {
      expect(await run(command, { shell })).toMatchObject({ exitCode, cannotStart, trouble: null })
    }
  })

  it('that no kernel would take is a check that cannot start', async () => {
    expect(await run('echo a\0b')).toMatchObject({ exitCode: null, cannotStart: true })
    expect(await run(`echo ${'x'.repeat(200_000)}`)).toMatchObject({
      exitCode: null,
      trouble: 'is too long for a command',
    })
    expect(await run(`echo ${'x'.repeat(119_000)} | wc -c`)).toMatchObject({ exitCode: 0, output: '119001' })
  })
})

describe('the log', () => {
  it('has the iteration and the command in its name, and a number where that is taken', async () => {
    await run('echo 1')
    await run('echo  1;')
    await run('echo 1')
    await run('echo 1', { iteration: 12_345 })
    expect(readdirSync(logDirectory).toSorted()).toEqual([
      '0003-echo_1.log',
      '0003-echo_1_2.log',
      '0003-echo_1_3.log',
      '12345-echo_1.log',
    ])
  })

  it('keeps the end of what is too long, and says what is missing; so does the output', async () => {
    const command = 'echo begin; yes 0123456789 | head -c 2999997; echo; echo end'
    const { log, output } = await run(command, { maxLogBytes: 1_000_000, maxOutputChars: 300 })
    const text = readFileSync(log, 'utf8')
    expect(text).toMatch(/^begin\n(?:0123456789\n)+/)
    expect(text).toMatch(/\n\[… \d+ bytes left out …\]\n[0-9\n]*end\n$/)
    expect(text.length).toBeLessThan(1_100_000)
    expect(output).toMatch(/^begin\n/)
    expect(output).toMatch(/\nend$/)
    expect(output).toContain('bytes left out')
    expect(output.length).toBeLessThan(340)
  })

  it('that cannot be made is a failure, and nothing was run', async () => {
    writeFileSync(join(project, 'file'), '')
    const box = directBox({ containment: probed })
    const request = {
      command: ': > ran',
      iteration: 1,
      shell: bash,
      project,
      env: testEnv,
      runId: newRunId(),
      logDirectory: join(project, 'file/checks'),
      timeoutMs: 60_000,
      maxOutputChars: 100,
    }
    expect(await runCheck(request, (asked) => box.exec(asked))).toMatchObject({
      ok: false,
      error: { reason: 'storage' },
    })
    expect(existsSync(join(project, 'ran'))).toBe(false)
  })
})

describe('recallCheck', () => {
  const options = (): { project: string; maxOutputChars: number } => ({ project, maxOutputChars: 200 })

  it('says the same as when the check was run', async () => {
    for (const command of ['echo a; exit 1', 'no-such-program', 'yes | head -c 500000; false']) {
      const first = await run(command, { maxOutputChars: 200 })
      expect(recallCheck(first, options())).toEqual({ ...first, durationMs: 0 })
    }
  })

  it('does not invent what is gone', () => {
    const log = join(project, 'gone.log')
    expect(recallCheck({ command: 'x', exitCode: null, log }, options())).toMatchObject({
      output: '[its log cannot be read any more]',
      trouble: 'did not end by itself',
      cannotStart: false,
    })
  })
})
