import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execaSync } from 'execa'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

/** `ralph demo` on the committed bundle, as somebody sees it who has cloned the repository and installed nothing. */
const launcher = join(import.meta.dirname, '../../scripts/ralph.sh')

let root: string
let temporary: string
let env: Record<string, string>

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'ralph demo ')))
  temporary = join(root, 'a tmp')
  mkdirSync(temporary)
  mkdirSync(join(root, 'home'))
  // Nobody's identity, signing without a key, ignoring all that matters: none of it may reach the demo.
  writeFileSync(
    join(root, 'home/.gitconfig'),
    '[user]\n\tuseConfigOnly = true\n[commit]\n\tgpgsign = true\n[core]\n\texcludesFile = ~/ignore\n\thooksPath = ~/hooks\n',
  )
  writeFileSync(join(root, 'home/ignore'), '*.js\n')
  env = { PATH: process.env['PATH'] ?? '', HOME: join(root, 'home'), TMPDIR: temporary, RALPH_DEMO_FAST: '1' }
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function demo(args: readonly string[] = [], over: Record<string, string> = {}) {
  const result = execaSync(launcher, ['demo', ...args], {
    cwd: root,
    env: { ...env, ...over },
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
    timeout: 100_000,
  })
  return { code: result.exitCode, out: result.stdout, err: result.stderr }
}

/** Starts a demo and, when it has printed this, sends the signal. */
async function interrupted(args: readonly string[], at: string, signal: NodeJS.Signals): Promise<string> {
  const child: ChildProcess = spawn(launcher, ['demo', ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let out = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    const before = out
    out += chunk.toString('utf8')
    if (!before.includes(at) && out.includes(at)) child.kill(signal)
  })
  const [code, by] = (await once(child, 'close')) as [number | null, string | null]
  expect(out).toContain(at)
  return `${code ?? by}`
}

describe('ralph demo', () => {
  it('shows the whole story and leaves nothing behind', () => {
    // As in a hook of git, inside of a loop, in a test of somebody's.
    const around = {
      GIT_DIR: join(root, 'nowhere'),
      GIT_INDEX_FILE: join(root, 'nowhere/index'),
      RALPH_RUN_ID: '20260101-120000-0a1b2c3d',
      NODE_TEST_CONTEXT: 'child-v8',
    }
    const { code, out, err } = demo([], around)
    expect([code, err]).toEqual([0, ''])
    const iterations = [...out.matchAll(/Iteration (\d+) of 15 · (\S+) · (US-\d+)/g)]
    expect(iterations.map(([, number, mode, story]) => [number, mode, story].join(' '))).toEqual([
      '1 implement US-001',
      '2 review US-001',
      '3 implement US-002',
      '4 review US-002',
      '5 review-fix US-002',
      '6 review US-002',
      '7 implement US-003',
      '8 implement US-003',
      '9 review US-003',
    ])
    expect(out).toMatch(/US-002 .*changes requested/)
    expect(out).toContain('amount(-5) gives -1.-5.')
    expect(out).toMatch(/caught: .*acceptance\/receipt\.js/)
    expect(out).toMatch(/caught: .*US-003 had illegal transition: passes false → true, reviewStatus null → approved/)
    expect(out).toContain('The referee wrote to me: "acceptance/receipt.js: the checks stand on this file')
    expect(out).toContain('Complete: everything is approved')
    expect(readdirSync(temporary)).toEqual([])
    expect(readdirSync(join(root, 'home')).toSorted()).toEqual(['.gitconfig', 'ignore'])
  })

  it('leaves nothing when it is interrupted, at the start or in the middle', async () => {
    expect(await interrupted([], 'A whole loop', 'SIGTERM')).toMatch(/^(130|SIGTERM)$/)
    expect(readdirSync(temporary)).toEqual([])
    expect(await interrupted([], 'Iteration 2', 'SIGINT')).toBe('130')
    expect(readdirSync(temporary)).toEqual([])
  })

  it('keeps everything where the user wants it, and goes on there after it was killed', async () => {
    const place = join(root, 'to look at')
    expect(await interrupted(['--dir', place], 'Iteration 4', 'SIGKILL')).toBe('SIGKILL')
    const { code, out } = demo(['--dir', place])
    expect(code).toBe(0)
    expect(out).toContain('Complete: everything is approved')
    expect(out).not.toContain('implement · US-001')
    expect(readdirSync(place).toSorted()).toEqual(['receipts', 'state'])
    // What it tells people to type works as it stands there.
    const typed = out.split('\n').filter((line) => /^ {2}(git|RALPH_STATE_DIR)/.test(line))
    expect(typed).toHaveLength(3)
    const answers = typed.map((line) => execaSync('sh', ['-c', line], { env, extendEnv: false, reject: false }))
    expect(answers.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0])
    expect(answers[0]?.stdout).toContain('review: [US-003] - approved')
    expect(answers[1]?.stdout).toContain('3 of 3')
  })

  it('keeps a temporary one, interrupted or not', async () => {
    expect(await interrupted(['--keep'], 'Iteration 1', 'SIGINT')).toBe('130')
    const [kept = ''] = readdirSync(temporary)
    expect(existsSync(join(temporary, kept, 'receipts/.git'))).toBe(true)
  })

  it('touches no directory that is not its own', () => {
    const thesis = join(root, 'thesis')
    mkdirSync(thesis)
    writeFileSync(join(thesis, 'chapter-1.txt'), 'mine')
    const { code, err } = demo(['--dir', thesis])
    expect([code, readdirSync(thesis)]).toEqual([2, ['chapter-1.txt']])
    expect(err).toContain('is not empty')
  })

  // A link would lead back to where git may be, and elsewhere a node may not start from another place.
  it.runIf(process.platform === 'linux')('says what is missing where there is no git', () => {
    const bin = join(root, 'bin')
    mkdirSync(bin)
    copyFileSync(process.execPath, join(bin, 'node'))
    const { code, out, err } = demo([], { PATH: bin })
    expect([code, out]).toEqual([3, ''])
    expect(err).toContain('"git"')
    expect(readdirSync(temporary)).toEqual([])
  })
})

describe('ralph demo --act', () => {
  it('plays in no other project', () => {
    const project = join(root, 'mine')
    mkdirSync(join(project, 'ralph'), { recursive: true })
    writeFileSync(
      join(project, 'ralph/tasks.json'),
      '{"project":"mine","branchName":"x","description":"","userStories":[]}\n',
    )
    const result = execaSync(launcher, ['demo', '--act'], {
      cwd: project,
      env: { ...env, RALPH_MODE: 'implement', RALPH_STORY: 'US-001' },
      extendEnv: false,
      input: 'Work on US-001.',
      reject: false,
    })
    expect(result.exitCode).toBe(1)
    expect(result.stderr).toContain('knows no other project')
    expect(JSON.parse(result.stdout.split('\n').at(-1) ?? '')).toMatchObject({ type: 'result', is_error: true })
    expect(readFileSync(join(project, 'ralph/tasks.json'), 'utf8')).toContain('"mine"')
  })
})
