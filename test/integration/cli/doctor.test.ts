import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AgentFinding, BoxFinding, Finding } from '../../../src/doctor/finding.ts'
import { backends } from '../../../src/isolation/backends.ts'
import { CommandLab } from '../../support/command-line.ts'
import { diskPrint } from '../../support/disk-print.ts'
import { masked, needsMask } from '../../support/processes.ts'
import { gitProgram } from '../../support/repositories.ts'

let lab: CommandLab
let bin: string
beforeEach(() => {
  lab = new CommandLab()
  lab.start()
  bin = join(lab.root, 'bin')
  mkdirSync(bin)
  symlinkSync(gitProgram, join(bin, 'git'))
  symlinkSync('/bin/sh', join(bin, 'sh'))
  // Nothing of what this machine has, and root is no matter.
  Object.assign(lab.extraEnvironment, { PATH: bin, IS_SANDBOX: '1' })
})
afterEach(() => lab.remove())

function install(name: string, script: string, directory = bin): void {
  writeFileSync(join(directory, name), `#!/bin/sh\n${script}\n`)
  chmodSync(join(directory, name), 0o755)
}

const settings = (value: unknown): string => lab.write('.ralph/settings.json', JSON.stringify(value))

interface Report {
  readonly canRun: boolean
  readonly problems: readonly { readonly what: string; readonly fix: string }[]
  readonly instead: readonly string[]
  readonly workers: unknown
  readonly isolation: string | null
  readonly containment: string
  readonly findings: readonly Finding[]
  readonly agents: readonly AgentFinding[]
  readonly boxes: readonly BoxFinding[]
}

async function doctor(cwd = lab.project) {
  const { code, out, err } = await lab.ralph(['doctor', '--json'], { cwd })
  expect(err).toBe('')
  const report = JSON.parse(out) as Report
  return { code, report, agent: (name: string) => report.agents.find((agent) => agent.name === name) }
}

describe('ralph doctor', () => {
  it('says with which agent a run can work here', async () => {
    install('claude', 'echo "2.1.325 (Claude Code)"')
    lab.extraEnvironment['ANTHROPIC_API_KEY'] = 'secret-key'
    const { code, out, err } = await lab.ralph(['doctor'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/^ {2}✓ {2}claude +2\.1\.325 +used by "ralph run" · logged in$/m)
    expect(out).toMatch(/^ {2}✓ {2}git +2\./m)
    expect(out).toMatch(/^ {2}○ {2}droid +not found +experimental · install droid/m)
    expect(out.split('\n').at(-1)).toBe('"ralph run" can work here, with claude.')
    expect(out).not.toContain('secret-key')
  })

  it('exits with 3 where it cannot, and names what would help', async () => {
    install('codex', 'echo codex-cli 0.166.0')
    const { code, out } = await lab.ralph(['doctor'])
    expect(code).toBe(3)
    expect(out.split('\n').slice(-4)).toEqual([
      '"ralph run" cannot work here:',
      '  - claude was not found (nothing inside the project counts).',
      '    Install Claude Code (npm install -g @anthropic-ai/claude-code), run `claude` once and log in.',
      'With another agent it can: ralph run --agent codex',
    ])
  })

  it('has all of it as JSON', async () => {
    install('claude', 'echo 2.1.325')
    const { code, report, agent } = await doctor()
    expect(code).toBe(0)
    expect(report).toMatchObject({
      canRun: true,
      problems: [],
      workers: { implement: 'claude', review: 'claude', reviewFix: 'claude' },
    })
    // Without bubblewrap and util-linux.
    expect(report).toMatchObject({ isolation: 'none', containment: 'tree' })
    expect(report.boxes.map(({ name }) => name)).toEqual(backends.map(({ name }) => name))
    expect(report.findings.map(({ name }) => name)).toEqual(
      'node git gh docker sbx bwrap shell state processes'.split(' '),
    )
    expect(report.agents.map(({ name }) => name)).toEqual(
      'claude codex amp gemini opencode qwen copilot cursor pi droid'.split(' '),
    )
    expect(report.agents.filter(({ experimental }) => experimental).map(({ name }) => name)).toEqual(
      'amp cursor droid'.split(' '),
    )
    expect(agent('claude')).toMatchObject({ path: join(bin, 'claude'), version: '2.1.325', login: 'not-seen' })
  })

  it('changes nothing', async () => {
    install('claude', 'echo 2.1.325')
    const before = diskPrint(lab.root)
    await doctor()
    expect(diskPrint(lab.root)).toEqual(before)
  })

  it('asks all at once: two that wait for each other both answer', async () => {
    const meeting = join(lab.root, 'meeting')
    execFileSync('mkfifo', [meeting])
    install('claude', `echo here > '${meeting}'; echo 1.0`)
    install('codex', `read word < '${meeting}'; echo 0.166.0`)
    const { agent } = await doctor()
    expect([agent('claude')?.version, agent('codex')?.version]).toEqual(['1.0', '0.166.0'])
  })

  it('names a version that is known not to work', async () => {
    settings({ agent: { name: 'codex' } })
    install('codex', 'echo codex-cli 0.100.0')
    const { code, report, agent } = await doctor()
    expect(code).toBe(3)
    expect(agent('codex')).toMatchObject({ state: 'old', version: '0.100.0', chosen: true })
    expect(report.problems).toEqual([
      { what: expect.stringContaining('codex 0.100.0 does not work here') as string, fix: 'Install a newer codex.' },
    ])
  })

  it('knows that nothing holds some agents, and that a user may want it so', async () => {
    install('gemini', 'echo 0.61.0')
    settings({ agent: { name: 'gemini' } })
    const held = await doctor()
    expect(held.code).toBe(3)
    expect(held.report.problems[0]?.fix).toContain('--no-sandbox')
    settings({ agent: { name: 'gemini' }, isolation: { backend: 'none' } })
    expect(await doctor()).toMatchObject({ code: 0 })
  })

  it.each(['RALPH_STATE_DIR', 'CODEX_HOME'])('says where %s keeps a run from working in this project', async (name) => {
    install('claude', 'echo 2.1.325')
    mkdirSync(join(lab.project, 'inside'))
    lab.extraEnvironment[name] = join(lab.project, 'inside')
    const { code, report } = await doctor()
    expect(code).toBe(3)
    expect(report.problems.map(({ what }) => what)).toEqual([
      expect.stringContaining('cannot be a project: it contains'),
    ])
  })

  it('looks for each agent of the settings', async () => {
    install('claude', 'echo 2.1.325')
    settings({ agents: { review: { name: 'codex' } } })
    const { code, report } = await doctor()
    expect({ code, workers: report.workers }).toEqual({
      code: 3,
      workers: { implement: 'claude', review: 'codex', reviewFix: 'claude' },
    })
    expect(report.problems.map(({ what }) => what.split(' ')[0])).toEqual(['codex'])
  })

  it.runIf(process.getuid?.() === 0)('says to root what Claude Code needs', async () => {
    install('claude', 'echo 2.1.325')
    install('codex', 'echo 0.166.0')
    delete lab.extraEnvironment['IS_SANDBOX']
    const { code, report, agent } = await doctor()
    expect({ code, state: agent('claude')?.state, instead: report.instead }).toEqual({
      code: 3,
      state: 'refused',
      instead: ['codex'],
    })
    expect(report.problems[0]?.fix).toContain('IS_SANDBOX=1')
  })

  it('is about the machine where there is no project', async () => {
    install('claude', 'echo 2.1.325')
    expect(await doctor(lab.root)).toMatchObject({ code: 0 })
    expect(await doctor('/')).toMatchObject({ code: 0 })
    expect(await doctor(lab.environment['HOME'])).toMatchObject({ code: 0 })
  })

  it('needs a directory that is there', async () => {
    expect(await lab.ralph(['doctor', '--project-dir', 'nowhere'])).toMatchObject({ code: 2, out: '' })
  })

  it('works with nothing at all on PATH', async () => {
    lab.extraEnvironment['PATH'] = ''
    const { code, report } = await doctor()
    expect({ code, level: report.containment }).toEqual({ code: 3, level: 'tree' })
    expect(report.problems.map(({ what }) => what.split(' ')[0])).toEqual(['git', 'shell', 'claude'])
  })
})

describe('the boxes', () => {
  const settled = (isolation: unknown): string => settings({ isolation })

  it('are each explained, the strongest first, and the one is named that a run would use', async () => {
    install('claude', 'echo 2.1.325')
    const { out } = await lab.ralph(['doctor'])
    const rows = out.slice(out.indexOf('Boxes'), out.indexOf('Useful')).trim().split('\n').slice(1)
    expect(rows.map((row) => row.trim().split(/ +/)[1])).toEqual(backends.map(({ name }) => name))
    for (const row of rows.slice(0, -1)) expect(row).toMatch(/^ {2}○ {2}[a-z-]+ +\S.*\. · \S.*\.$/)
    expect(rows.at(-1)).toMatch(/^ {2}✓ {2}none +used by "ralph run" · no box: the agent has your own rights/)
  })

  it('are a problem where the settings want one that does not work', async () => {
    install('claude', 'echo 2.1.325')
    settled({ backend: 'os' })
    const { code, report } = await doctor()
    expect({ code, isolation: report.isolation }).toEqual({ code: 3, isolation: null })
    const os = report.boxes.find(({ name }) => name === 'os')
    expect(os).toMatchObject({ state: 'missing', chosen: false })
    expect(report.problems.map(({ what }) => what)).toEqual([expect.stringContaining(os?.why ?? '-')])
  })

  it.runIf(masked.level === 'mask')(`names the mask ${needsMask}`, async () => {
    lab.extraEnvironment['PATH'] = `${bin}:/usr/bin:/bin`
    const { report } = await doctor()
    expect(report.containment).toBe('mask')
    const processes = report.findings.find(({ name }) => name === 'processes')
    expect(processes).toMatchObject({ state: 'ok', fix: null, why: expect.stringContaining('bwrap') as string })
    install('bwrap', 'exit 1')
    const without = (await doctor()).report.findings.find(({ name }) => name === 'processes')
    expect(without?.fix).toContain('bubblewrap')
  })

  it('are tried outside of a project, too, and nothing is made', async () => {
    install('claude', 'echo 2.1.325')
    const before = diskPrint(lab.root)
    const { report } = await doctor(lab.root)
    expect(report.boxes.map(({ name }) => name)).toEqual(backends.map(({ name }) => name))
    expect(diskPrint(lab.root)).toEqual(before)
  })
})

describe('what an agent can have written', () => {
  it('is not started from the project, wherever in it somebody stands', async () => {
    const inside = join(lab.project, 'node_modules/.bin')
    mkdirSync(inside, { recursive: true })
    for (const name of ['claude', 'git', 'docker']) install(name, `touch '${lab.canary}'; echo 9.9.9`, inside)
    lab.extraEnvironment['PATH'] = `${inside}:${bin}`
    for (const cwd of [lab.project, inside]) {
      const { agent, report } = await doctor(cwd)
      expect(agent('claude')).toMatchObject({ state: 'missing', path: null })
      expect(agent('claude')?.fix).toContain('is inside the project')
      expect(report.findings.find(({ name }) => name === 'git')?.path).toBe(join(bin, 'git'))
    }
    expect(existsSync(lab.canary)).toBe(false)
  })

  it.each([
    ['a known agent', { name: 'claude' }],
    ['a custom one', { name: 'custom' }],
  ])('is not started by the settings: %s', async (_, agent) => {
    settings({ agent: { ...agent, command: lab.trap() } })
    const { code, report } = await doctor()
    expect(code).toBe(0)
    expect(report.agents.find(({ chosen }) => chosen)).toMatchObject({
      ...agent,
      state: 'unknown',
      version: null,
      path: join(lab.root, 'trap'),
    })
    expect(existsSync(lab.canary)).toBe(false)
  })

  it.each([
    ['wrong', () => settings({ agent: { name: 'nobody' } }), '.ralph/settings.json is not valid'],
    ['no JSON', () => lab.write('.ralph/settings.json', '{'), '.ralph/settings.json is not valid'],
    [
      'a FIFO',
      () => {
        mkdirSync(join(lab.project, '.ralph'))
        execFileSync('mkfifo', [join(lab.project, '.ralph/settings.json')])
      },
      'it is a FIFO',
    ],
  ])('may be settings that are %s: a run would not start, and all else is told', async (_, make, words) => {
    make()
    install('claude', 'echo 2.1.325')
    const { code, report, agent } = await doctor()
    expect(code).toBe(3)
    expect(report.problems).toHaveLength(1)
    expect(report.problems[0]?.what).toContain(words)
    expect(agent('claude')).toMatchObject({ state: 'ok', version: '2.1.325' })
  })

  it('moves no cursor', async () => {
    install('claude', String.raw`printf '\033[2J\033]0;x\007\r\n' >&2; exit 1`)
    const { code, out } = await lab.ralph(['doctor'])
    expect(code).toBe(3)
    expect(out).toContain(String.raw`it ended with 1: \u{1b}[2J`)
    // oxlint-disable-next-line no-control-regex -- these characters are what it is about
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
  })
})
