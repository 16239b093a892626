import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { alertIn, HookSession, launcher, type Hook, type HookCall } from '../../support/hook-session.ts'
import { scratch } from '../../support/scratch.ts'
import { assistantLine, boundaryLine, otherLine, resultLine, usedLine } from '../../support/transcript.ts'

const hooks: readonly Hook[] = ['stop', 'pre-tool-use', 'post-tool-use', 'session-start']
const quiet = { code: 0, out: '', err: '' }

let session: HookSession
beforeEach(() => {
  session = new HookSession(scratch())
})

/** Has node look once at so many tokens, so that the launcher knows from when on it is needed again. */
function looked(tokens: number): void {
  writeFileSync(session.transcript, usedLine(tokens))
  expect(session.run('post-tool-use')).toEqual(quiet)
}

/** The starts of node that a call costs. */
function starts(hook: Hook, call: HookCall = {}): string[] {
  const fake = session.fakeNode()
  expect(session.run(hook, { ...call, env: { PATH: fake.PATH, ...call.env } })).toEqual(quiet)
  return fake.starts()
}

const shells = [['dash'], ['bash', '--posix'], ['busybox', 'sh'], ['ksh']].filter(
  ([program = '']) => spawnSync(program, ['-c', ':']).error === undefined,
) as [string, ...string[]][]

describe.each(shells.map((shell) => ({ name: shell.join(' '), shell })))('read by $name', ({ shell }) => {
  it.each(['stop', 'pre-tool-use', 'session-start'] as const)('%s ends before node where there is no loop', (hook) => {
    expect(starts(hook, { shell })).toEqual([])
  })

  it('post-tool-use ends before node while no threshold can be reached', () => {
    looked(20_000)
    appendFileSync(session.transcript, resultLine('x') + usedLine(39_000) + otherLine())
    expect(starts('post-tool-use', { shell })).toEqual([])
    appendFileSync(session.transcript, resultLine('x') + usedLine(40_000))
    expect(starts('post-tool-use', { shell })).toHaveLength(1)
  })

  it('finds the loop and tells node where it is', () => {
    writeFileSync(join(session.project, '.ralph-active'), '{}')
    const below = join(session.project, 'a b', "c'd")
    mkdirSync(below, { recursive: true })
    const call = { shell, cwd: below, env: { CLAUDE_PROJECT_DIR: undefined } }
    const bundle = (name: string): string => `--v8-pool-size=1 ${join(launcher, '..', 'hooks', `${name}.cjs`)}`
    expect(starts('stop', call)).toEqual([`${bundle('stop')} ${session.project} 4`])
    expect(starts('post-tool-use', call)).toEqual([`${bundle('post-tool-use')} ${session.project}`])
  })

  it('speaks at a threshold', () => {
    writeFileSync(session.transcript, usedLine(110_000))
    expect(alertIn(session.run('post-tool-use', { shell }))).toMatch(/^NOTICE: 55%/)
  })

  it('leaves the session alone without node', () => {
    writeFileSync(join(session.project, '.ralph-active'), '{}')
    const empty = join(session.root, 'empty')
    mkdirSync(empty)
    for (const hook of ['stop', 'post-tool-use'] as const) {
      const [program, ...args] = shell
      const path = execFileSync('sh', ['-c', 'command -v "$1"', '-', program], { encoding: 'utf8' }).trim()
      const end = session.run(hook, { shell: [path, ...args], env: { PATH: empty } })
      expect({ code: end.code, out: end.out }).toEqual({ code: 0, out: '' })
      expect(end.err).toBe(
        `ralph: node is not on PATH, so the ${hook} hook does nothing; install Node.js 20.19 or newer\n`,
      )
    }
  })
})

describe('the launcher', () => {
  it('is a program', () => {
    expect(statSync(launcher).mode & 0o111).toBe(0o111)
    expect(readFileSync(launcher, 'utf8')).toMatch(/^#!\/bin\/sh\n/)
  })

  it.each(hooks)('%s reads nothing of stdin where there is nothing to do', (hook) => {
    looked(20_000)
    const script = '"$1" "$2"; cat'
    const { stdout } = spawnSync('sh', ['-c', script, '-', launcher, hook], {
      cwd: session.project,
      env: session.env(),
      input: 'whatever is there',
      encoding: 'utf8',
    })
    expect(stdout).toBe('whatever is there')
  })

  it('gives node no variables that make it slow or run something else', () => {
    const folder = mkdtempSync(join(session.root, 'bin'))
    writeFileSync(join(folder, 'node'), '#!/bin/sh\necho "{${NODE_EXTRA_CA_CERTS-}${NODE_OPTIONS-}}" >&2\n')
    chmodSync(join(folder, 'node'), 0o755)
    const env = { PATH: `${folder}:/usr/bin:/bin`, NODE_EXTRA_CA_CERTS: '/x', NODE_OPTIONS: '--require /evil.js' }
    expect(session.run('post-tool-use', { env }).err).toBe('{}\n')
  })

  it('takes no node out of the project', () => {
    writeFileSync(join(session.project, 'node'), '#!/bin/sh\necho evil >&2\n')
    chmodSync(join(session.project, 'node'), 0o755)
    mkdirSync(join(session.root, 'odd/node'), { recursive: true })
    const { PATH, starts } = session.fakeNode()
    for (const entry of ['.', '', 'x/../.', join(session.root, 'odd'), '*']) {
      expect(session.run('post-tool-use', { env: { PATH: `${entry}:${PATH}`, node: '/evil', loop: '/evil' } })).toEqual(
        quiet,
      )
    }
    expect(starts()).toHaveLength(5)
    for (const start of starts()) expect(start).toMatch(/post-tool-use\.cjs $/)
  })

  it('bears a working directory that is gone and a project that is a file', () => {
    const gone = join(session.root, 'gone')
    const file = join(session.root, 'file')
    mkdirSync(gone)
    writeFileSync(file, '')
    for (const hook of hooks) {
      const { status, stdout } = spawnSync(
        'sh',
        ['-c', 'mkdir -p "$3"; cd "$3" && rm -r "$3" && exec "$1" "$2"', '-', launcher, hook, gone],
        {
          env: session.env({ CLAUDE_PROJECT_DIR: file, PATH: session.fakeNode().PATH }),
          input: '',
          encoding: 'utf8',
        },
      )
      expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
    }
  })

  it.each(['relative', './x', '', 'a\nb', '-x', '//', '/nowhere/at/all', `/${'x/'.repeat(3000)}`])(
    'bears %j as the project',
    (path) => {
      for (const hook of ['stop', 'pre-tool-use'] as const) {
        expect(starts(hook, { env: { CLAUDE_PROJECT_DIR: path } })).toEqual([])
      }
    },
  )

  it('takes a marker that is a link to nowhere, a directory or a FIFO for a loop', () => {
    const marker = join(session.project, '.ralph-active')
    const make = [
      () => symlinkSync('/nowhere', marker),
      () => mkdirSync(marker),
      () => execFileSync('mkfifo', [marker]),
    ]
    for (const act of make) {
      act()
      expect(starts('stop')).toHaveLength(1)
      rmSync(marker, { recursive: true })
    }
  })

  it('does nothing for a name that it does not know', () => {
    for (const name of ['', 'x', '../stop', 'stop;true']) {
      const { status, stdout, stderr } = spawnSync(launcher, [name], {
        env: session.env(),
        input: '',
        encoding: 'utf8',
      })
      expect({ code: status, out: stdout, err: stderr }).toEqual(quiet)
    }
  })
})

describe('when node is needed for the context', () => {
  const wakes = (): boolean => starts('post-tool-use').length === 1

  it('the first time', () => {
    writeFileSync(session.transcript, usedLine(1000))
    expect(wakes()).toBe(true)
  })

  it.each([
    { when: 'half of what was there is gone', more: usedLine(45_000), needed: true },
    { when: 'a little less is there', more: usedLine(95_000), needed: false },
    { when: 'the context was compacted', more: boundaryLine(110_000), needed: true },
    { when: 'the message that made the call is not written yet', more: resultLine('x'), needed: true },
    { when: 'only a subagent has used more', more: usedLine(190_000, { isSidechain: true }), needed: false },
    { when: 'the API has refused', more: assistantLine({ model: '<synthetic>', input: 0, output: 0 }), needed: false },
    { when: 'bookkeeping came', more: otherLine().repeat(50), needed: false },
    { when: 'so much came that no usage is near', more: otherLine().repeat(1000), needed: true },
    { when: 'a line was cut', more: usedLine(190_000).slice(0, 200), needed: false },
  ])('$when: $needed', ({ more, needed }) => {
    looked(1000)
    writeFileSync(session.transcript, usedLine(110_000))
    expect(alertIn(session.run('post-tool-use'))).not.toBeNull()
    appendFileSync(session.transcript, more)
    expect(wakes()).toBe(needed)
  })

  it('the transcript is elsewhere now', () => {
    looked(1000)
    rmSync(session.transcript)
    expect(wakes()).toBe(true)
  })

  it.each(['x', '5', '-', '-5', '5-', '1-2-3', '0-x', `0-${'9'.repeat(40)}`, '0-$(touch x)', '0-1 -o 1'])(
    'what was left is look-%s',
    (name) => {
      looked(1000)
      for (const file of readdirSync(session.state)) rmSync(join(session.state, file))
      symlinkSync(session.transcript, join(session.state, `look-${name}`))
      expect(wakes()).toBe(true)
      expect(readdirSync(session.project)).toEqual([])
    },
  )

  it.each(['directory', 'fifo', 'file', 'huge'])('what was left is a %s', (kind) => {
    looked(1000)
    for (const file of readdirSync(session.state)) rmSync(join(session.state, file))
    const path = join(session.state, 'look-0-100000')
    if (kind === 'directory') mkdirSync(path)
    else if (kind === 'fifo') execFileSync('mkfifo', [path])
    else writeFileSync(path, 'garbage')
    if (kind === 'huge') truncateSync(path, 1e12)
    expect(wakes()).toBe(true)
  })

  it('a session that has no name in its variables', () => {
    looked(1000)
    for (const id of [undefined, '', '../x', 'a b', 'a\nb']) {
      expect(starts('post-tool-use', { env: { CLAUDE_CODE_SESSION_ID: id } })).toHaveLength(1)
    }
  })

  it('nothing is there to look with', () => {
    looked(1000)
    const { PATH, starts } = session.fakeNode()
    expect(session.run('post-tool-use', { shell: ['/bin/sh'], env: { PATH: PATH.split(':')[0] } }).code).toBe(0)
    // The fake itself is a script that needs nothing else.
    expect(starts()).toHaveLength(1)
  })
})

describe('session-start', () => {
  it('forgets the session without node', () => {
    looked(1000)
    expect(starts('session-start')).toEqual([])
    expect(existsSync(session.state)).toBe(false)
  })

  it('bears what cannot be removed', () => {
    mkdirSync(join(session.data, 'context'))
    writeFileSync(session.state, '')
    expect(starts('session-start')).toEqual([])
    expect(starts('session-start', { env: { CLAUDE_PLUGIN_DATA: '/proc' } })).toEqual([])
  })
})
