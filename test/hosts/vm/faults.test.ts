import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { dockerSandbox } from '../../../src/isolation/docker-sandbox.ts'
import type { Backend, ExecRequest } from '../../../src/isolation/isolation.ts'
import { sbx } from '../../../src/isolation/sbx.ts'
import { machinesWork, needsMachines, realDocker, type Knobs } from '../../support/fake-sandbox.ts'
import { newMark, newRunId, processesWith, program, testEnv } from '../../support/processes.ts'
import { value } from '../../support/repositories.ts'
import { newVmSite, stageVm, type StagedVm, type VmSite, type VmStaging } from '../../support/staged-vm.ts'
import { until } from '../../support/until.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

async function stage(backend: Backend, staging: VmStaging = {}): Promise<StagedVm> {
  const staged = await stageVm(backend, staging)
  ends.push(() => staged.end())
  return staged
}

function place(backend: Backend, knobs: Knobs = {}): VmSite {
  const site = newVmSite(backend.name as 'sbx' | 'docker-sandbox')
  site.fake.turn(knobs)
  ends.push(() => site.end())
  return site
}

async function run(staged: StagedVm, script: string, more: Partial<ExecRequest> = {}) {
  const lines: string[] = []
  const end = await staged.box.exec({
    argv: ['bash', '-c', script],
    cwd: staged.project,
    env: testEnv,
    runId: staged.runId,
    onLine: (line) => void lines.push(line.bytes.toString()),
    ...more,
  })
  return { ...value(end), lines }
}

const opening = { agents: ['claude'], hosts: [], readable: [], remark: () => undefined } as const

describe('a probe', () => {
  it.each([
    ['sbx', sbx, 'sbx is not installed.'],
    ['docker', dockerSandbox, 'Docker Desktop 4.58 to 4.79 has it'],
  ])('says that %s is not there, and what to install', async (_, backend, why) => {
    const { site } = place(backend)
    const probed = await backend.probe({ ...site, places: { path: '/nowhere', forbiddenRoot: site.project } })
    expect(probed).toMatchObject({ ok: false, error: { why: expect.stringContaining(why) as string } })
    expect(probed.ok ? '' : probed.error.fix).toContain('sbx')
  })

  it('says of a docker without the plugin, in its own words, that sbx comes next', async () => {
    const { site, fake } = place(dockerSandbox)
    const env = { ...site.env, DOCKER_CONFIG: join(fake.directory, 'none') }
    writeFileSync(
      join(fake.bin, 'docker'),
      '#!/bin/sh\necho "docker: unknown command: docker sandbox\n\nRun \'docker --help\'" >&2\nexit 1\n',
    )
    const probed = await dockerSandbox.probe({ ...site, env })
    expect(probed).toMatchObject({ ok: false, error: { why: expect.stringContaining('4.80') as string } })
  })

  it.skipIf(realDocker === null)(
    'says the same of the real docker client without that plugin (needs docker)',
    async () => {
      const { site, fake } = place(dockerSandbox)
      const env = { ...site.env, HOME: fake.directory, DOCKER_CONFIG: join(fake.directory, 'none') }
      expect(await dockerSandbox.probe({ ...site, env })).toMatchObject({
        ok: false,
        error: { why: expect.stringContaining('This docker has no "sandbox" command') as string },
      })
    },
  )

  it('takes no program that lies in the project', async () => {
    const { site, fake } = place(sbx)
    mkdirSync(join(site.project, 'bin'))
    symlinkSync(join(fake.bin, 'sbx'), join(site.project, 'bin', 'sbx'))
    const path = `${site.project}/bin`
    const probed = await sbx.probe({ ...site, places: { path, forbiddenRoot: site.project } })
    expect(probed).toMatchObject({ ok: false, error: { why: 'sbx was found only in the project.' } })
    expect(fake.calls()).toEqual([])
  })

  it.each([
    ['nobody is signed in', { signedOut: true }, 'not signed in', 'sbx login'],
    ['its list is none', { listKey: 'other' as 'vms' }, 'does not give a list', 'Run it yourself'],
  ])('says that %s', async (_, knobs, why, fix) => {
    const { site } = place(sbx, knobs)
    const probed = await sbx.probe(site)
    expect(probed).toMatchObject({ ok: false, error: { why: expect.stringContaining(why) as string } })
    expect(probed.ok ? '' : probed.error.fix).toContain(fix)
  })

  it('does not wait for a person who would choose a policy', async () => {
    const { site, fake } = place(sbx)
    fake.policy(null)
    const probed = await sbx.probe(site)
    expect(probed).toMatchObject({ ok: false, error: { fix: 'Run: sbx policy init balanced' } })
  }, 60_000)

  it('asks with stdin closed, changes nothing, and gives nobody the way to an ssh agent', async () => {
    const { site, fake } = place(sbx)
    value(await sbx.probe({ ...site, env: { ...site.env, SSH_AUTH_SOCK: '/tmp/agent', ANTHROPIC_API_KEY: 'a key' } }))
    const calls = fake.calls()
    expect(calls.map(({ words }) => words[0])).toEqual(['ls', 'policy'])
    expect(calls.every(({ stdin }) => stdin === 'closed')).toBe(true)
    expect(calls.flatMap(({ env }) => env).filter((name) => /SSH|KEY/.test(name))).toEqual([])
  })
})

describe.skipIf(!machinesWork).each([
  ['sbx', sbx],
  ['docker-sandbox', dockerSandbox],
])(`%s ${needsMachines}`, (face, backend) => {
  it('works with a stale list under any key, a daemon that speaks first and merged streams, from one run to the next', async () => {
    const listKey = face === 'sbx' ? 'vms' : 'sandboxes'
    const knobs = { stale: true, banner: true, mergedStreams: true, listKey, execStarts: true } as const
    const staged = await stage(backend, { knobs })
    const { lines, exitCode } = await run(staged, 'echo out; sleep 0.1; echo err >&2; exit 3')
    expect({ lines, exitCode }).toEqual({ lines: ['out', 'err'], exitCode: 3 })
    await staged.box.dispose()
    const again = value(await staged.isolation.open({ ...opening, agents: ['custom'], runId: staged.runId }))
    expect(await run({ ...staged, box: again }, 'echo two')).toMatchObject({ exitCode: 0, lines: ['two'] })
    await again.dispose()
    expect(staged.fake.callsOf('create')).toHaveLength(1)
  })

  it('stops the box when what is in it cannot be ended', async () => {
    const mark = newMark()
    const staged = await stage(backend)
    staged.fake.turn({ failExecOf: 'patience' })
    const { cause } = await run(staged, `${program('sleeper')} ${mark} . daemon & echo started`)
    expect(cause).toBe('exited')
    expect(processesWith(mark)).toEqual([])
    expect(staged.fake.callsOf('stop')).not.toEqual([])
    staged.fake.turn({})
    expect((await run(staged, 'echo again')).lines).toEqual(['again'])
  })

  it('has nothing of an earlier agent in a new box, and its login still', async () => {
    const staged = await stage(backend, { opening: { agents: ['claude'] } })
    await run(staged, 'echo planted > ~/planted; echo "{}" > ~/.claude/settings.json 2>/dev/null; true', {
      agent: 'claude',
    })
    value(await staged.box.renew())
    const { lines } = await run(
      staged,
      'ls ~/planted ~/.claude/settings.json 2>/dev/null; git config --global user.email',
    )
    expect(lines).toEqual(['ralph@localhost'])
    // Nobody has been in this one but a check.
    const count = staged.fake.callsOf('create').length
    value(await staged.box.renew())
    value(await staged.box.renew())
    await run(staged, 'true')
    expect(staged.fake.callsOf('create')).toHaveLength(count + 1)
  })

  it('is given no rule that allows no host at all', async () => {
    const { fake } = await stage(backend, { opening: { hosts: [] } })
    const words = fake.calls().flatMap((call) => call.words)
    expect(words).not.toContain('')
  }, 60_000)

  it('has the network that it may have, and another box for another one', async () => {
    const staged = await stage(backend, { opening: { hosts: ['b.example', 'a.example'] } })
    const [name = ''] = Object.keys(staged.fake.boxes())
    if (face === 'sbx')
      expect(staged.fake.callsOf('policy', 'allow')).toEqual([
        ['policy', 'allow', 'network', '--sandbox', name, 'a.example,b.example'],
      ])
    else
      expect(staged.fake.readJson(`network-${name}.json`)).toEqual({
        policy: ['deny'],
        hosts: ['a.example', 'b.example'],
      })
    await staged.box.dispose()
    const open = value(
      await staged.isolation.open({ ...opening, agents: ['custom'], hosts: null, runId: staged.runId }),
    )
    const [other = '', ...more] = Object.keys(staged.fake.boxes())
    expect({ same: other === name, more }).toEqual({ same: false, more: [] })
    if (face === 'sbx') expect(staged.fake.callsOf('policy', 'allow').at(-1)?.at(-1)).toBe('**')
    else expect(staged.fake.readJson(`network-${other}.json`)).toEqual({ policy: ['allow'], hosts: [] })
    await open.dispose()
  })

  it('removes the boxes of its project and no other', async () => {
    const staged = await stage(backend)
    await staged.box.dispose()
    staged.fake.call('create', '--name', 'ralph-project-000000000000-shell-00000000', 'shell', staged.outside)
    const removed = value(
      (await backend.remove?.(staged.site)) ?? { ok: false, error: { reason: 'usage', message: '', fix: '' } },
    )
    expect(removed).toHaveLength(1)
    expect(Object.keys(staged.fake.boxes())).toEqual(['ralph-project-000000000000-shell-00000000'])
  })

  it('ends a client that was left, and what it had started, from another process', async () => {
    const mark = newMark()
    const staged = await stage(backend)
    const running = run(staged, `exec ${program('sleeper')} ${mark} . agent`)
    await until('it runs', () => processesWith(`${mark} . agent`).length > 0)
    expect(await staged.isolation.endAll('another-run')).toMatchObject({ survivors: [] })
    await running
    expect(processesWith(mark)).toEqual([])
  })
})

describe.skipIf(!machinesWork)(`what both have in common ${needsMachines}`, () => {
  const backend = sbx

  it('makes another box where the name of one that is gone is held, and says so', async () => {
    const staged = await stage(backend, { knobs: { leakedNames: 2 } })
    expect(Object.keys(staged.fake.boxes())).toEqual([expect.stringMatching(/-3$/)])
    expect(staged.remarks.join('\n')).toContain('sbx-releases#129')
    expect((await run(staged, 'echo works')).lines).toEqual(['works'])
    await staged.box.dispose()
    const again = value(await staged.isolation.open({ ...opening, agents: ['custom'], runId: staged.runId }))
    expect((await run({ ...staged, box: again }, 'echo reused')).lines).toEqual(['reused'])
    expect(Object.keys(staged.fake.boxes())).toHaveLength(1)
    await again.dispose()
  })

  it('gives up when all names are held, and says what frees them', async () => {
    const { site, fake } = place(backend, { leakedNames: 3 })
    const opened = await value(await backend.probe(site)).open({ ...opening, runId: newRunId() })
    expect(opened).toMatchObject({ ok: false, error: { fix: expect.stringContaining('reset') as string } })
    expect(fake.boxes()).toEqual({})
  })

  it('runs a check again that never ran, although the client said 0', async () => {
    const staged = await stage(backend)
    staged.fake.turn({ emptyExec: 2, emptyExecOf: 'the check' })
    expect(await run(staged, ': the check; exit 7')).toMatchObject({ cause: 'exited', exitCode: 7 })
  })

  it('never takes for a success what nobody has seen run', async () => {
    const staged = await stage(backend)
    staged.fake.turn({ emptyExec: 99, emptyExecOf: 'the check' })
    const request = {
      argv: ['bash', '-c', ': the check'] as const,
      cwd: staged.project,
      env: testEnv,
      runId: staged.runId,
    }
    const ended = await staged.box.exec({ ...request, onLine: () => undefined })
    expect(ended).toMatchObject({ ok: false, error: { reason: 'isolation-unavailable' } })
  })

  it('asks again where an answer to a question of its own was lost', async () => {
    const staged = await stage(backend, { knobs: { emptyExec: 2, emptyExecOf: '.ralph-ready' } })
    expect((await run(staged, 'echo works')).lines).toEqual(['works'])
  })

  it('says which program the box has not', async () => {
    const staged = await stage(backend)
    const request = { argv: ['no-such-agent'] as const, cwd: staged.project, env: testEnv, runId: staged.runId }
    const ended = await staged.box.exec({ ...request, onLine: () => undefined })
    expect(ended).toEqual({ ok: false, error: { reason: 'cannot-start', program: 'no-such-agent', code: 'ENOENT' } })
  })

  it('makes a box again that somebody removed, or that was left half made', async () => {
    const staged = await stage(backend)
    const [name = ''] = Object.keys(staged.fake.boxes())
    staged.fake.call('rm', '--force', name)
    expect((await run(staged, 'echo removed')).lines).toEqual(['removed'])
    await run(staged, 'rm ~/.ralph-ready')
    await staged.box.dispose()
    const again = value(await staged.isolation.open({ ...opening, agents: ['custom'], runId: staged.runId }))
    expect((await run({ ...staged, box: again }, 'echo half made')).lines).toEqual(['half made'])
    await again.dispose()
    expect(staged.fake.callsOf('create')).toHaveLength(3)
  })

  it('has one box for each template and runs one at a time; checks run where the last agent did', async () => {
    const staged = await stage(backend, { opening: { agents: ['claude', 'codex', 'amp'] } })
    const where = async (agent?: string) =>
      (await run(staged, 'echo $SANDBOX_NAME', agent === undefined ? {} : { agent })).lines[0]?.split('-').at(-2)
    expect(await where('claude')).toBe('claude')
    expect(await where('codex')).toBe('codex')
    expect(await where()).toBe('codex')
    expect(staged.fake.call('ls', '--json').match(/"running"/g)).toHaveLength(1)
    expect(await where('amp')).toBe('shell')
    expect(await where('claude')).toBe('claude')
    expect(staged.fake.callsOf('create')).toHaveLength(3)
  })

  it('shows no value of a variable to who lists the processes of the host', async () => {
    const staged = await stage(backend)
    const key = `key-${newMark()}`
    const { lines } = await run(staged, 'echo ${#THE_KEY}', { env: { ...testEnv, THE_KEY: key } })
    expect(lines).toEqual([String(key.length)])
    expect(JSON.stringify(staged.fake.calls())).not.toContain(key)
  })
})

describe.skipIf(!machinesWork)(`docker sandbox, whose files are copied ${needsMachines}`, () => {
  it('writes the marker where the agent sees it, without a new start', async () => {
    const staged = await stage(dockerSandbox)
    const marker = join(staged.project, '.ralph-active')
    const show = async (text: string): Promise<void> => {
      writeFileSync(marker, text)
      value(await staged.box.writeFile(marker, Buffer.from(text)))
    }
    await show('one')
    expect((await run(staged, 'cat .ralph-active')).lines).toEqual(['one'])
    await show('two')
    expect((await run(staged, 'cat .ralph-active')).lines).toEqual(['two'])
    expect(staged.fake.callsOf('stop')).toEqual([])
    writeFileSync(marker, 'three')
    expect((await run(staged, 'cat .ralph-active')).lines).toEqual(['two'])
  })

  it('starts anew for a file that only the host can write, and only when it has changed', async () => {
    const staged = await stage(dockerSandbox)
    const file = join(staged.site.given, 'settings.json')
    const show = async (text: string): Promise<string[]> => {
      writeFileSync(file, text)
      value(await staged.box.writeFile(file, Buffer.from(text)))
      return (await run(staged, `cat '${file}'; touch '${file}' 2>/dev/null && echo written`)).lines
    }
    expect([await show('one'), await show('one'), await show('two')]).toEqual([['one'], ['one'], ['two']])
    expect(staged.fake.callsOf('stop').length).toBeLessThanOrEqual(2)
  })

  it('returns only when everything that was written is here, and leaves no file of its own', async () => {
    const staged = await stage(dockerSandbox)
    for (const round of [1, 2, 3]) {
      await run(staged, `for i in $(seq 200); do echo ${round} > file-$i; done; echo ${round} > .ralph-first`)
      const late = Array.from({ length: 200 }, (_, index) => join(staged.project, `file-${index + 1}`)).filter(
        (path) => !existsSync(path) || readFileSync(path, 'utf8') !== `${round}\n`,
      )
      expect(late).toEqual([])
    }
    await staged.box.dispose()
    expect(readdirSync(staged.project).filter((name) => name.startsWith('.ralph-draft-'))).toEqual([])
  })

  it('keeps the login of a project in a directory of its own, with nothing else in it', async () => {
    const { site } = place(dockerSandbox)
    mkdirSync(join(site.home, '.claude'))
    writeFileSync(join(site.home, '.claude', '.credentials.json'), '{"of":"the user"}')
    const isolation = value(await dockerSandbox.probe(site))
    const box = value(await isolation.open({ ...opening, runId: newRunId() }))
    ends.unshift(() => box.dispose())
    const staged = { box, project: site.project, runId: newRunId() } as StagedVm
    const seen = await run(
      staged,
      'cat ~/.claude/.credentials.json ~/.claude.json; echo "{\\"hooks\\":1}" > ~/.claude/settings.json',
      { agent: 'claude' },
    )
    expect(seen.lines).toEqual(['{"of":"the user"}{}'])
    const auth = join(dirname(site.homes), 'auth')
    expect(statSync(auth).mode & 0o777).toBe(0o700)
    value(await box.renew())
    expect((await run(staged, 'ls -A ~/.claude', { agent: 'claude' })).lines).toEqual(['.credentials.json'])
    expect(readFileSync(join(site.home, '.claude', '.credentials.json'), 'utf8')).toBe('{"of":"the user"}')
  })
})

describe('the fakes', () => {
  const said = (act: () => unknown): string => {
    try {
      return String(act())
    } catch (error) {
      return `${(error as { status: number }).status}: ${(error as { stderr: string }).stderr.split('\n')[0]}`
    }
  }

  it.each([sbx, dockerSandbox])('refuse what the real ones refuse ($name)', (backend) => {
    const { fake, site } = place(backend)
    expect(said(() => fake.call('create', '--name', 'a_b', 'claude', site.project))).toMatch(/^1: failed to create/)
    expect(said(() => fake.call('create', '--name', 'a.b', 'claude', site.project))).toMatch(/^1: failed to create/)
    expect(said(() => fake.call('create', '--name', 'ab', 'amp', site.project))).toBe('1: unknown agent: amp')
    expect(said(() => fake.call('run', '--env', 'A=b', 'x'))).toBe('1: unknown flag: --env')
    expect(said(() => fake.call('exec', 'none', 'true'))).toBe("1: ERROR: no sandbox named 'none'")
    expect(fake.call('ls', '--json').trim().replaceAll(/\s/g, '')).toBe('{"sandboxes":[]}')
  })

  it.skipIf(!machinesWork)(`ask before they remove, where sbx does ${needsMachines}`, () => {
    const { fake, site } = place(sbx)
    fake.call('create', '--name', 'ab', 'shell', site.project)
    expect(said(() => fake.call('rm', 'ab'))).toBe('1: not removed')
    expect(fake.call('rm', '--force', 'ab').trim()).toBe('ab')
  })
})

it.skipIf(!machinesWork)(`a stand-in for docker does where there is none ${needsMachines}`, async () => {
  const staged = await stage(dockerSandbox, { options: { docker: null } })
  expect(await run(staged, 'echo works; exit 4')).toMatchObject({ lines: ['works'], exitCode: 4 })
})

it.skipIf(!machinesWork)(`sbx that lets everything out is not taken for a closed one ${needsMachines}`, async () => {
  const { site, fake } = place(sbx)
  fake.policy('allow-all')
  const isolation = value(await sbx.probe(site))
  const opened = await isolation.open({ ...opening, runId: newRunId() })
  expect(opened).toMatchObject({ ok: false, error: { why: expect.stringContaining('every host') as string } })
  const open = value(await isolation.open({ ...opening, hosts: null, runId: newRunId() }))
  await open.dispose()
})
