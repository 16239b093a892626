import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { version } from '../../src/cli/version.ts'

const root = join(import.meta.dirname, '../..')
const launcher = join(root, 'scripts/ralph.sh')
const bundle = join(root, 'scripts/ralph.mjs')
const nodeFolder = dirname(process.execPath)

let scratch: string
beforeEach(() => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), 'ralph cli ')))
})
afterEach(() => rmSync(scratch, { recursive: true, force: true }))

interface Outcome {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

function run(
  file: string,
  args: readonly string[] = [],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Outcome {
  const result = spawnSync(file, args, { cwd: scratch, encoding: 'utf8', ...options })
  if (result.error !== undefined) throw result.error
  return { code: result.status, out: result.stdout, err: result.stderr }
}
const ralph = (...args: string[]): Outcome => run(process.execPath, [bundle, ...args])

/** A program of the given name in a folder of its own, which is handed back. */
function program(folder: string, name: string, script: string): string {
  const path = join(scratch, folder)
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, name), `#!/bin/sh\n${script}\n`)
  chmodSync(join(path, name), 0o755)
  return path
}

describe('ralph', () => {
  it('prints its version', () => {
    expect(ralph('--version')).toEqual({ code: 0, out: `${version}\n`, err: '' })
  })

  it('runs as a program through the link that npm makes', () => {
    symlinkSync(bundle, join(scratch, 'ralph'))
    expect(run(join(scratch, 'ralph'), ['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' })
  })

  it.each([['--help'], ['-h'], ['help']])('%s lists the commands', (word) => {
    const { code, out, err } = ralph(word)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('\n  run [task] ')
    expect(out).toContain('\n  guard [cmd] ')
  })

  it('has help with an example for each command', () => {
    for (const name of ['run', 'init', 'check', 'guard']) {
      const { code, out, err } = ralph(name, '--help')
      expect({ code, err }).toEqual({ code: 0, err: '' })
      expect(out).toMatch(new RegExp(`^Example: ralph ${name}`, 'm'))
    }
  })
})

describe('a command that is not built yet', () => {
  it.each([
    [['report'], 'report'],
    [['clean', '--worktrees'], 'ralph clean --worktrees'],
    [['plan'], 'plan'],
    [['build', '--jobs', '2'], 'build'],
    [['supervise', '--', 'true'], 'supervise'],
    [['run', 'a task'], 'ralph run TASK'],
  ])('%j says so in two lines, exits 2 and changes nothing', (args, name) => {
    const { code, out, err } = ralph(...args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(/^ralph: .+\nRun .+\n$/)
    expect(err).toContain(`"${name}" is not built yet in this version.`)
    expect(readdirSync(scratch)).toEqual([])
  })
})

describe('no command at all', () => {
  it.each([[[]], [['--output', 'json']], [['run']]])('%j means run, which needs a repository', (args) => {
    const { code, out, err } = ralph(...args)
    expect({ code, out }).toEqual({ code: 3, out: '' })
    expect(err).toContain('not in a git repository')
    expect(err.split('\n')).toHaveLength(3)
    expect(readdirSync(scratch)).toEqual([])
  })
})

describe('an unknown first word', () => {
  it.each([
    ['stauts', 'status'],
    ['Run', 'run'],
    ['archiv', 'archive'],
    ['init.', 'init'],
    ['superwise', 'supervise'],
  ])('%s exits 2 and names %s', (word, near) => {
    const { code, out, err } = ralph(word, '--help')
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err.split('\n')).toEqual([
      `ralph: There is no command "${word}".`,
      `The nearest is "ralph ${near}"; "ralph --help" lists them all.`,
      '',
    ])
  })

  it.each([[''], ['fix the tests'], ['\u001b[2J'], ['constructor'], ['a\nb'], ['x'.repeat(100_000)]])(
    'is refused in two short lines: %j',
    (word) => {
      const { code, out, err } = ralph(word)
      expect({ code, out }).toEqual({ code: 2, out: '' })
      expect(err.split('\n')).toHaveLength(3)
      expect(err.length).toBeLessThan(300)
      expect(err).not.toContain('\u001b')
    },
  )
})

describe('output that cannot be written', () => {
  it('is harmless when the reader has gone', async () => {
    // Ralph starts only when the reading end is closed, so that every write of it fails.
    const child = spawn('sh', ['-c', 'read go; exec "$0" "$@"', process.execPath, bundle, '--help'])
    child.stdout.on('close', () => child.stdin.end('go\n')).destroy()
    let err = ''
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
    expect({ code, err }).toEqual({ code: 0, err: '' })
  })

  it('is said when the disk is full', { skip: process.platform !== 'linux' }, () => {
    const full = openSync('/dev/full', 'w')
    const { status, stderr } = spawnSync(process.execPath, [bundle, '--help'], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    })
    expect({ status, what: stderr.split('\n')[0] }).toEqual({
      status: 3,
      what: 'ralph: Could not write to standard output (ENOSPC).',
    })
  })
})

describe('a bug in Ralph', () => {
  const breaking = (code: string, ...args: string[]) =>
    run(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(code)}`, bundle, ...args])
  const brokenOutput = 'Object.defineProperty(process, "stdout", { get() { throw new Error("planted\\u001b") } })'

  it('exits 70 with two lines', () => {
    const { code, err } = breaking(brokenOutput, '--help')
    expect(code).toBe(70)
    expect(err).toMatch(/^ralph: a bug in Ralph: planted\\u\{1b\}\nRun the same again with --verbose .+\n$/)
  })

  it('shows its stack with --verbose only', () => {
    expect(breaking(brokenOutput, '--help', '--verbose').err).toMatch(/^ {4}at .*ralph\.mjs:\d+:\d+/m)
    expect(breaking(brokenOutput, '--help').err).not.toContain('ralph.mjs:')
  })

  it('exits 70 also when nobody was waiting for what failed', () => {
    const { code, err } = breaking('process.once("beforeExit", () => { throw new Error("late") })', '--version')
    expect({ code, what: err.split('\n')[0] }).toEqual({ code: 70, what: 'ralph: a bug in Ralph: late' })
    expect(breaking('process.once("beforeExit", () => Promise.reject("no error"))', '--version').code).toBe(70)
  })
})

describe('ralph.sh', () => {
  it('starts the same program from another directory', () => {
    expect(run(launcher, ['--version'], { cwd: '/' })).toEqual({ code: 0, out: `${version}\n`, err: '' })
  })

  it('hands on every argument as it is', () => {
    const { err } = run(launcher, ['a  b "c" $(d) *'])
    expect(err).toContain('There is no command "a  b "c" $(d) *".')
  })

  it('works in a path with spaces, and through a chain of links, relative ones too', () => {
    const installed = join(scratch, 'an installed plugin', 'scripts')
    cpSync(join(root, 'scripts'), installed, { recursive: true })
    mkdirSync(join(scratch, 'deep/er'), { recursive: true })
    symlinkSync('../../an installed plugin/scripts/ralph.sh', join(scratch, 'deep/er/second link'))
    symlinkSync('deep', join(scratch, 'linked directory'))
    symlinkSync('linked directory/er/second link', join(scratch, 'ralph'))
    const expected = { code: 0, out: `${version}\n`, err: '' }
    expect(run(join(installed, 'ralph.sh'), ['--version'])).toEqual(expected)
    expect(run(join(scratch, 'ralph'), ['--version'], { cwd: '/' })).toEqual(expected)
    expect(run('./ralph', ['--version'])).toEqual(expected)
    expect(run('sh', ['ralph', '--version'])).toEqual(expected)
    expect(run('ralph', ['--version'], { env: { PATH: `${scratch}:${process.env['PATH']}` } })).toEqual(expected)
  })

  it('is not led astray by CDPATH', () => {
    mkdirSync(join(scratch, 'elsewhere/scripts'), { recursive: true })
    cpSync(join(root, 'scripts'), join(scratch, 'scripts'), { recursive: true })
    const env = { PATH: process.env['PATH'], CDPATH: join(scratch, 'elsewhere') }
    expect(run('sh', ['scripts/ralph.sh', '--version'], { env })).toEqual({ code: 0, out: `${version}\n`, err: '' })
  })

  it('says in one line that node is missing', () => {
    const { code, out, err } = run('/bin/sh', [launcher, '--version'], { env: { PATH: join(scratch, 'empty') } })
    expect({ code, out }).toEqual({ code: 3, out: '' })
    expect(err).toMatch(/^ralph: Node\.js 20\.19 or newer is not on PATH; install it from \S+\n$/)
  })

  it.each(['v18.20.4', 'v20.18.3', 'v9.99.0', '', 'v20', 'vx.y', 'v20.x.1'])(
    'says in one line that node "%s" is too old, and does not run it',
    (old) => {
      const folder = program('old', 'node', `[ "$1" = --version ] || touch "${scratch}/was run"\necho ${old}`)
      const { code, out, err } = run('/bin/sh', [launcher, '--version'], { env: { PATH: folder } })
      expect({ code, out }).toEqual({ code: 3, out: '' })
      expect(err).toMatch(/^ralph: Node\.js 20\.19 or newer is not on PATH \(found .+\); install it from \S+\n$/)
      expect(readdirSync(scratch)).toEqual(['old'])
    },
  )

  it.each(['v20.19.0', 'v20.20.1', 'v22.0.0', 'v100.1.0', 'v24.0.0-nightly2025'])('takes node %s', (fine) => {
    const folder = program('new', 'node', `case $1 in --version) echo ${fine};; *) shift; echo "started $*";; esac`)
    expect(run('/bin/sh', [launcher, 'a', 'b'], { env: { PATH: folder } }).out).toBe('started a b\n')
  })

  it('goes on to a newer node behind an old or broken one', () => {
    const old = program('old', 'node', 'echo v18.0.0')
    const broken = program('broken', 'node', 'exit 1')
    mkdirSync(join(scratch, 'folder/node'), { recursive: true })
    const PATH = [old, broken, join(scratch, 'folder'), nodeFolder].join(':')
    expect(run('/bin/sh', [launcher, '--version'], { env: { PATH } })).toEqual({
      code: 0,
      out: `${version}\n`,
      err: '',
    })
  })

  it('takes no node out of the directory it is called in', () => {
    program('.', 'node', `touch "${scratch}/was run"; echo v22.0.0`)
    for (const here of ['.', '', './']) {
      expect(run('/bin/sh', [launcher, '--version'], { env: { PATH: `${here}:${nodeFolder}` } }).code).toBe(0)
    }
    expect(readdirSync(scratch)).toEqual(['node'])
  })

  it('takes no node that npm puts in front: what lies in node_modules is not even looked at by git', () => {
    const shims = program('node_modules/.bin', 'node', `touch "${scratch}/was run"; echo v22.0.0`)
    expect(run('/bin/sh', [launcher, '--version'], { env: { PATH: `${shims}:${nodeFolder}` } }).code).toBe(0)
    expect(readdirSync(scratch)).toEqual(['node_modules'])
  })

  it('says in one line that it was copied without the rest', () => {
    cpSync(launcher, join(scratch, 'ralph'))
    const { code, err } = run(join(scratch, 'ralph'), ['--version'])
    expect(code).toBe(3)
    expect(err).toBe(`ralph: there is no ralph.mjs in ${scratch}; make a link to ralph.sh instead of a copy\n`)
  })

  it('hides NODE_EXTRA_CA_CERTS from its own node, and only from that', () => {
    const folder = program('new', 'node', 'case $1 in --version) echo v22.0.0;; *) env;; esac')
    const env = { PATH: `${folder}:/usr/bin:/bin`, NODE_EXTRA_CA_CERTS: '/a b.pem', NODE_OPTIONS: '--no-warnings' }
    const { out } = run('/bin/sh', [launcher], { env })
    expect(out).not.toMatch(/^NODE_EXTRA_CA_CERTS=/m)
    expect(out).toMatch(/^RALPH_SAVED_NODE_EXTRA_CA_CERTS=\/a b\.pem$/m)
    expect(out).toMatch(/^NODE_OPTIONS=--no-warnings$/m)
  })

  it('does not believe a saved value from outside', () => {
    const folder = program('new', 'node', 'case $1 in --version) echo v22.0.0;; *) env;; esac')
    const env = { PATH: `${folder}:/usr/bin:/bin`, RALPH_SAVED_NODE_EXTRA_CA_CERTS: '/planted.pem' }
    expect(run('/bin/sh', [launcher], { env }).out).not.toContain('planted')
  })
})

describe.each(['init', 'archive'])('ralph-%s.sh', (name) => {
  it('is the command of that name, through links and with its arguments', () => {
    symlinkSync(join(root, `scripts/ralph-${name}.sh`), join(scratch, 'absolute'))
    symlinkSync('absolute', join(scratch, 'relative'))
    for (const file of [join(root, `scripts/ralph-${name}.sh`), join(scratch, 'relative'), './relative']) {
      expect(run(file, ['--help']).out).toContain(`Usage: ralph ${name}`)
    }
  })
})

describe('a directory that was removed', () => {
  it('does not keep help and version from being shown', () => {
    mkdirSync(join(scratch, 'gone'))
    const script = `rmdir "${scratch}/gone"; exec "$0" "$@"`
    const cwd = join(scratch, 'gone')
    expect(run('sh', ['-c', script, process.execPath, bundle, '--version'], { cwd })).toMatchObject({
      code: 0,
      err: '',
    })
  })
})
