import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execaSync } from 'execa'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TaskList } from '../../src/model/story.ts'
import { list, stage, story } from '../support/task-list.ts'

/** `ralph check` on the committed bundle. */
const bundle = join(import.meta.dirname, '../../scripts/ralph.mjs')

let project: string
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'ralph check '))
  mkdirSync(join(project, 'ralph'))
  writeFileSync(join(project, 'ralph/prd.md'), '# What to build\n')
})
afterEach(() => rmSync(project, { recursive: true, force: true }))

const write = (tasks: TaskList | string) =>
  writeFileSync(join(project, 'ralph/tasks.json'), typeof tasks === 'string' ? tasks : JSON.stringify(tasks))

function check(...args: string[]) {
  const before = readdirSync(join(project, 'ralph'))
  const result = execaSync(process.execPath, [bundle, 'check', ...args], {
    cwd: project,
    reject: false,
    stripFinalNewline: false,
    timeout: 20_000,
  })
  expect(readdirSync(join(project, 'ralph'))).toEqual(before)
  return { code: result.exitCode, out: result.stdout, err: result.stderr }
}

describe('ralph check', () => {
  it('says how far the list is and what comes next', () => {
    write(list([story('A', stage.approved), story('B', { dependsOn: ['A'] })]))
    expect(check()).toEqual({
      code: 0,
      out: 'Demo: 2 stories, 1 approved, on ralph/demo. Next: implement B (Title of B).\n',
      err: '',
    })
  })

  it('says what to improve', () => {
    write(list([story('A', stage.passed)], { verifyCommands: [] }))
    expect(check().out.split('\n').slice(1)).toEqual([
      'Story A passed without review; a run will review it.',
      'To improve: There is no check at all: a run can only end with concerns. Add commands to verifyCommands.',
      '',
    ])
  })

  it('says who waits for a person', () => {
    write(list([story('A', { blocked: 'Needs a key\u001b[2J' })]))
    expect(check().out).toContain('Waiting for a person: A is blocked: Needs a key\\u{1b}[2J.')
  })

  it('names every problem at once', () => {
    write(list([story('A', { priority: 'high' as never }), story('a', { passes: 1 as never })]))
    expect(check()).toEqual({
      code: 2,
      out: '',
      err: [
        'ralph: ralph/tasks.json is not a valid task list:',
        '  - Story A: priority must be a number, not "high".',
        '  - Story a: passes must be true or false, not 1.',
        '  - Story a: id differs from A only by case; ids must be unique.',
        'Correct these lines and run "ralph check" again.',
        '',
      ].join('\n'),
    })
  })

  it.each([
    [
      'an untouched template',
      JSON.stringify(list([story('US-001', { title: '', acceptanceCriteria: [] })])),
      'run /ralph-plan or edit',
    ],
    ['no stories', JSON.stringify(list([])), 'run /ralph-plan or edit'],
    ['no JSON', '{', 'tasks.json is not valid JSON'],
    ['a circle', JSON.stringify(list([story('A', { dependsOn: ['A'] })])), 'Story A waits for itself'],
    ['tasks-json-depth-50k', '['.repeat(50_000), 'nested deeper than 64 levels'],
    ['story-id-proto', JSON.stringify(list([story('constructor')])), 'id must be 1 to 64 letters'],
  ])('refuses %s', (_, text, why) => {
    write(text)
    const result = check()
    expect(result.code).toBe(2)
    expect(result.err).toContain(why)
  })

  it('refuses what is no regular file, without hanging on it', () => {
    execFileSync('mkfifo', [join(project, 'ralph/tasks.json')])
    expect(check().err).toContain('ralph/tasks.json cannot be used: it is a FIFO.')
    rmSync(join(project, 'ralph/tasks.json'))
    symlinkSync('/dev/zero', join(project, 'ralph/tasks.json'))
    expect(check()).toMatchObject({ code: 2, out: '' })
  })

  it('asks for the file that is missing', () => {
    expect(check()).toMatchObject({ code: 2, err: expect.stringContaining('ralph/tasks.json is missing.') as string })
    write(list([story('A')]))
    rmSync(join(project, 'ralph/prd.md'))
    expect(check().err).toContain('ralph/prd.md is missing.')
  })

  it('takes a project that is reached through a link, and no link in it', () => {
    write(list([story('A')]))
    symlinkSync('.', join(project, 'link'))
    expect(check('--project-dir', 'link', '--ralph-dir', join(project, 'link/ralph'))).toMatchObject({ code: 0 })
    expect(check('--ralph-dir', 'link/ralph').err).toContain(
      'link/ralph/prd.md cannot be used: its directory is a link.',
    )
  })

  it('keeps to the project', () => {
    write(list([story('A')]))
    expect(check('--ralph-dir', '../x')).toMatchObject({ code: 2, out: '' })
    expect(check('--project-dir', join(project, 'nowhere'))).toMatchObject({ code: 2, out: '' })
  })
})
