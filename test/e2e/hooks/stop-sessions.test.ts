import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Marker } from '../../../src/tasks/marker.ts'
import { MarkedProject } from '../../support/marked-project.ts'
import { scratch } from '../../support/scratch.ts'
import { list, story } from '../../support/task-list.ts'

let project: MarkedProject
beforeEach(() => {
  project = new MarkedProject(scratch(), list([story('A')]))
  project.write('new.ts', '')
})

/** The marker of this project with other fields; undefined takes one away. */
const remark = (fields: { readonly [Field in keyof Marker]?: Marker[Field] | undefined }) =>
  project.mark({ ...project.marker(list([story('A')]), 'implement'), ...fields } as Partial<Marker>)
const inRun = { env: { RALPH_RUN_ID: '20261116-024656-0a1b2c3d' } }
const dead = Number(execFileSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' }))

describe('the session of the marker', () => {
  it('is blocked', () => expect(project.end().reason).toContain('block 1 of 6'))

  it('is blocked in any directory of the project', () => {
    mkdirSync(join(project.project, 'a/b'), { recursive: true })
    const call = { cwd: join(project.project, 'a/b'), env: { CLAUDE_PROJECT_DIR: undefined } }
    expect(project.end(call).reason).toContain('block 1 of 6')
  })

  it('is blocked where only its input names it', () => {
    expect(project.end({ env: { CLAUDE_CODE_SESSION_ID: undefined } }).reason).toContain('block 1 of 6')
  })

  it('is no other one, and for that node does not start', () => {
    const session = '11111111-2222-4333-8444-555555555555'
    const fake = project.fakeNode()
    const env = { CLAUDE_CODE_SESSION_ID: session, PATH: fake.PATH }
    const call = { input: project.input({ session_id: session }), env }
    expect(project.run('stop', call)).toEqual({ code: 0, out: '', err: '' })
    expect(fake.starts()).toEqual([])
  })

  it.each([{}, inRun])('is no other one, says its input', ({ env }: { env?: object }) => {
    const call = {
      input: project.input({ session_id: 'another' }),
      env: { ...env, CLAUDE_CODE_SESSION_ID: undefined },
    }
    expect(project.end(call)).toMatchObject({ code: 0, out: '', err: '' })
  })
})

describe('a marker without a session', () => {
  it('is about every session of its run', () => {
    remark({ sessionId: undefined, pid: dead })
    expect(project.end(inRun).reason).toContain('block 1 of 6')
  })

  it('is about every session while its run is alive', () => {
    remark({ sessionId: undefined })
    expect(project.end().reason).toContain('block 1 of 6')
  })

  it.each([dead, 0, 2 ** 40, undefined])('is about nobody when its run is gone (%s)', (pid) => {
    remark({ sessionId: undefined, pid })
    expect(project.end()).toMatchObject({ code: 0, out: '', err: '' })
    expect(project.end({ env: { RALPH_RUN_ID: '20261116-024656-ffffffff' } }).reason).toBeNull()
  })

  it('is about every session of the directory when it names no run either', () => {
    remark({ sessionId: undefined, runId: undefined })
    expect(project.end().reason).toContain('block 1 of 6')
  })

  it.each([undefined, '20261116-024656-0a1b2c3d'])('is ignored when git tracks it (%s)', (runId) => {
    remark({ sessionId: undefined, runId })
    project.git('add', '-f', '.ralph-active')
    project.commit()
    project.write('other.ts', '')
    expect(project.end(inRun)).toMatchObject({ code: 0, out: '', err: '' })
  })

  it('is the session’s own when it has one, also if an agent of the run has committed it', () => {
    project.git('add', '-f', '.ralph-active')
    project.commit()
    project.write('other.ts', '')
    expect(project.end(inRun).reason).toContain('other.ts')
    expect(project.end()).toMatchObject({ code: 0, out: '', err: '' })
  })
})

describe('a marker that is none', () => {
  const forms: [string, (path: string) => void][] = [
    ['a directory', (path) => mkdirSync(path)],
    ['a link out of the project', (path) => symlinkSync('/etc/passwd', path)],
    ['a link to nothing', (path) => symlinkSync('/no/such/file', path)],
    ['a FIFO', (path) => execFileSync('mkfifo', [path])],
    ['empty', (path) => writeFileSync(path, '')],
    ['binary', (path) => writeFileSync(path, Buffer.from([0, 255, 254, 10, 0]))],
    ['half of one', (path) => writeFileSync(path, '{"version": 1, "sessionId": "6a')],
    ['a list', (path) => writeFileSync(path, '[]')],
    ['9 MB long', (path) => writeFileSync(path, ' '.repeat(9_000_000))],
    ['a bomb', (path) => writeFileSync(path, '['.repeat(1_000_000))],
    ['a way into prototypes', (path) => writeFileSync(path, '{"__proto__": {"mode": "direct"}}')],
  ]

  it.each(forms)('(%s) leaves a session of a person alone', (_, make) => {
    make(project.place('.ralph-active'))
    const end = project.end()
    expect(end).toMatchObject({ code: 0, out: '' })
    expect(end.err).toMatch(/^ralph stop: \.ralph-active[: ][^\n]+\n$/)
  })

  it.each(forms)('(%s) does not free a session of a run from a valid list and a commit', (_, make) => {
    make(project.place('.ralph-active'))
    expect(project.end(inRun).reason).toContain('There are uncommitted changes')
  })

  it('is forged: what cannot be used is left out, and nothing of it leads anywhere', () => {
    project.mark({
      sessionId: project.id,
      ralphDir: '../../../etc',
      base: '; rm -rf ~',
      branch: '\u001b[2J',
      hashes: { '../../../etc/passwd': 'x', '/etc/shadow': 'y' },
      leaveOut: 7,
    } as unknown as Partial<Marker>)
    const end = project.end()
    expect(end.code).toBe(0)
    expect(end.reason).toContain('tasks.json cannot be read: its path leads out of the directory.')
    for (const text of ['rm -rf', '\u001b']) expect(end.reason).not.toContain(text)
  })
})
