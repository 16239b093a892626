import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeTasks } from '../../../src/tasks/read-tasks.ts'
import { listIn, oneIteration } from '../../support/one-iteration.ts'
import { Lab } from '../../support/repositories.ts'
import { edit, list, stage, story } from '../../support/task-list.ts'

/** Everything that exists below the loop, put together: the shapes fit, and a whole iteration of a cheat is undone. */
let lab: Lab
const start = list([story('A'), story('B', { dependsOn: ['A'] })], { verifyCommands: ['npm test', 'sh check.sh'] })
const packageJson = '{\n  "name": "x",\n  "scripts": {\n    "test": "node --test"\n  }\n}\n'

beforeEach(() => {
  lab = new Lab()
  lab.start({
    'ralph/tasks.json': writeTasks(start),
    'ralph/prd.md': '# Requirements\n',
    'ralph/progress.txt': '---\n',
    'package.json': packageJson,
    'check.sh': 'exit 0\n',
    'src/a.txt': 'a\n',
    '.gitignore': '.claude/settings.local.json\n.ralph/settings.local.json\n',
  })
})
afterEach(() => lab.remove())

const textOf = (path: string) => readFileSync(join(lab.project, path), 'utf8')
const clean = () => lab.git('status', '--porcelain').trim()

describe('an iteration', () => {
  it('of an honest agent stays as it is', async () => {
    const result = await oneIteration(lab, 'implement', () => {
      lab.write('src/a.txt', 'better\n')
      lab.write('ralph/tasks.json', writeTasks(edit(start, 'A', stage.submitted)))
      lab.commit('feat: A')
    })
    expect(result).toMatchObject({ illegal: [], unfinished: [], again: { illegal: [], unfinished: [] } })
    expect(lab.git('log', '--format=%s').trim().split('\n')).toEqual(['feat: A', 'start'])
    expect(clean()).toBe('')
  })

  it('that was not committed is committed by the runner', async () => {
    const result = await oneIteration(lab, 'implement', () => void lab.write('src/new.txt', 'new\n'))
    expect(result.unfinished.map((item) => item.what)).toEqual(['not-committed'])
    expect(result.again.unfinished).toEqual([])
    expect(lab.git('log', '-1', '--format=%an <%ae> %s').trim()).toBe(
      'Ralph <ralph@localhost> left uncommitted by iteration 1',
    )
    expect(clean()).toBe('')
  })

  it('of a cheat loses what is illegal and keeps what is legal', async () => {
    const lies = edit(edit(start, 'A', { ...stage.approved }), 'B', { acceptanceCriteria: ['Exists'], priority: 9 })
    const result = await oneIteration(lab, 'implement', () => {
      lab.write('src/a.txt', 'real work\n')
      lab.write('ralph/tasks.json', writeTasks(lies))
      lab.write('ralph/prd.md', '# Nothing is required\n')
      lab.write('check.sh', 'exit 0 # sure\n')
      lab.write('package.json', packageJson.replace('node --test', 'true').replace('"x"', '"y"'))
      lab.write('.mcp.json', '{}')
      lab.write('.claude/settings.local.json', '{"disableAllHooks":true}')
      lab.write('.ralph/settings.local.json', '{"skipReview":true}')
      lab.git('add', '-A')
      lab.git('commit', '-q', '--amend', '-m', 'nothing happened here')
      lab.git('checkout', '-q', '-b', 'elsewhere')
      lab.git('config', 'core.fsmonitor', lab.trap())
    })
    expect(new Set(result.illegal.map((violation) => violation.rule))).toEqual(
      new Set([
        'people-only-file',
        'protected-file',
        'steering-file',
        'protected-script',
        'git-directory',
        'branch',
        'history',
        'frozen-field',
        'illegal-transition',
      ]),
    )
    expect(result.again).toEqual({ illegal: [], unfinished: [] })
    expect(listIn(lab)).toEqual(edit(start, 'B', { priority: 9 }))
    expect(textOf('ralph/prd.md')).toBe('# Requirements\n')
    expect(textOf('check.sh')).toBe('exit 0\n')
    expect(textOf('package.json')).toBe(packageJson.replace('"x"', '"y"'))
    expect(textOf('src/a.txt')).toBe('real work\n')
    for (const path of ['.mcp.json', '.claude/settings.local.json', '.ralph/settings.local.json']) {
      expect(existsSync(join(lab.project, path))).toBe(false)
    }
    expect(lab.git('rev-parse', '--abbrev-ref', 'HEAD').trim()).toBe('main')
    expect(lab.git('log', '--format=%s').trim().split('\n').at(-1)).toBe('start')
    expect(clean()).toBe('')
    expect(lab.sprang()).toBe(false)
  })

  it('of a reviewer who mends the code approves nothing', async () => {
    const submitted = edit(start, 'A', stage.submitted)
    lab.write('ralph/tasks.json', writeTasks(submitted))
    lab.commit('feat: A')
    const result = await oneIteration(lab, 'review', () => {
      lab.write('src/a.txt', 'fixed by the reviewer\n')
      lab.write('ralph/tasks.json', writeTasks(edit(submitted, 'A', stage.approved)))
      lab.commit('review: A - approved')
    })
    expect(result.illegal.map((violation) => violation.rule)).toEqual(['review-changed-files', 'approval-void'])
    expect(listIn(lab)).toEqual(submitted)
    expect(textOf('src/a.txt')).toBe('a\n')
    expect(result.again.unfinished.map((item) => item.what)).toEqual(['no-verdict'])
    expect(clean()).toBe('')
  })

  it.each([
    ['the list is a link', () => symlinkSync('/etc/passwd', join(lab.project, 'ralph/tasks.json'))],
    ['the list is gone', () => undefined],
  ])('after which %s gets it back', async (_, plant) => {
    const result = await oneIteration(lab, 'implement', () => {
      rmSync(join(lab.project, 'ralph/tasks.json'))
      plant()
    })
    expect(result.illegal.map((violation) => violation.rule)).toEqual(['tasks-unreadable'])
    expect(listIn(lab)).toEqual(start)
    expect(clean()).toBe('')
  })

  it('that leaves a repository inside the repository loses it', async () => {
    const result = await oneIteration(lab, 'implement', () => {
      lab.write('vendor/lib/a.txt', 'a\n')
      lab.git('init', '-q', 'vendor/lib')
      lab.write('src/a.txt', 'work\n')
    })
    expect(result.illegal.map((violation) => violation.rule)).toEqual(['nested-repository'])
    expect(result.again).toEqual({ illegal: [], unfinished: [] })
    expect(existsSync(join(lab.project, 'vendor/lib'))).toBe(false)
    expect(textOf('src/a.txt')).toBe('work\n')
    expect(clean()).toBe('')
  })

  it('in which husky was installed is no offence', async () => {
    const result = await oneIteration(lab, 'implement', () => {
      lab.git('config', 'core.hooksPath', '.husky/_')
      lab.write('.husky/pre-commit', 'npm test\n', 0o755)
      lab.git('-c', 'core.hooksPath=/dev/null', 'add', '-A')
      lab.git('-c', 'core.hooksPath=/dev/null', 'commit', '-q', '-m', 'husky')
    })
    expect(result).toMatchObject({ illegal: [], again: { illegal: [], unfinished: [] } })
  })

  it('after which the ralph directory is a link gets it back, and what the link points to is untouched', async () => {
    const outside = lab.write(join(lab.root, 'outside/tasks.json'), 'mine\n')
    const result = await oneIteration(lab, 'implement', () => {
      rmSync(join(lab.project, 'ralph'), { recursive: true })
      symlinkSync(join(lab.root, 'outside'), join(lab.project, 'ralph'))
    })
    expect(result.illegal.map((violation) => violation.rule)).toContain('tasks-unreadable')
    expect(result.again.illegal).toEqual([])
    expect(listIn(lab)).toEqual(start)
    expect(textOf('ralph/prd.md')).toBe('# Requirements\n')
    expect(readFileSync(outside, 'utf8')).toBe('mine\n')
  })
})
