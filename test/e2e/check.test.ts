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
      "To improve: There is no check at all: a run can only end with concerns. Add the project's test, lint and typecheck commands to verifyCommands.",
      '',
    ])
  })

  it('criticizes a plan, story by story, and takes it all the same', () => {
    writeFileSync(join(project, 'ralph/prd.md'), '')
    const vague = story('B', { priority: 2, acceptanceCriteria: ['Search works correctly'] })
    write(list([story('A', { dependsOn: ['B'] }), vague]))
    const { code, out } = check()
    expect(code).toBe(0)
    expect(out.split('\n').slice(1, -1)).toEqual([
      'To improve: ralph/prd.md is empty. Say there what is wanted, for agents and reviewers.',
      'To improve: Story B has the vague criterion "Search works correctly": "correctly" does not say what happens. Say what can be seen, like: Filter dropdown has options: All, Active, Done.',
      'To improve: Story A has priority 1 but waits for B with a higher number; other stories come in between. Number the stories in the order in which they can be built: what others depend on first.',
    ])
  })

  it('tells programs the same', () => {
    write(list([story('A', { acceptanceCriteria: ['Looks\u202e nice to people'] })]))
    const { code, out } = check('--json')
    expect(code).toBe(0)
    expect(out).not.toContain('\u202e')
    expect(JSON.parse(out)).toMatchObject({
      valid: true,
      stories: 1,
      approved: 0,
      iterationsNeeded: 2,
      next: 'Next: implement A (Title of A).',
      toReview: [],
      advice: [{ rule: 'vague', story: 'A' }],
    })
    write(list([story('A', { priority: 'high' as never })]))
    expect(check('--json')).toMatchObject({ code: 2, err: expect.stringContaining('priority must be') as string })
    expect(JSON.parse(check('--json').out)).toEqual({
      valid: false,
      problems: ['Story A: priority must be a number, not "high".'],
    })
  })

  it('says no more than can be read', () => {
    write(list(Array.from({ length: 50 }, (_, n) => story(`S-${n}`, { acceptanceCriteria: [`${n} works properly`] }))))
    const lines = check().out.trimEnd().split('\n')
    expect(lines).toHaveLength(42)
    expect(lines.at(-1)).toBe('And 11 more to improve: "ralph check --json" has all of it.')
  })

  it('goes by the settings of the project', () => {
    const stories = Array.from({ length: 8 }, (_, n) => story(`S-${n}`))
    write(list(stories, { verifyCommands: [] }))
    mkdirSync(join(project, '.ralph'))
    const settings = (text: string) => writeFileSync(join(project, '.ralph/settings.json'), text)
    settings('{"maxIterations": 20, "checks": [{"command": "npm test"}]}')
    expect(check().out.trimEnd().split('\n')).toHaveLength(1)
    settings('{"maxIterations": 12}')
    expect(check().out).toContain('take at least 16 iterations, and a run stops after 12.')
    settings('{"maxIteration": 12}')
    expect(check()).toMatchObject({ code: 2, out: '' })
  })

  it('knows a list that nothing has worked on yet by its empty log', () => {
    write(list([story('A', stage.approved), story('B')]))
    const log = (entries: string) => writeFileSync(join(project, 'ralph/progress.txt'), `# Log\n\n---\n${entries}`)
    log('')
    expect(check().out).toContain('Story A is not at its beginning, though nothing has run yet.')
    log('## A (implement, iteration 1)\n')
    expect(check().out).not.toContain('To improve')
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
