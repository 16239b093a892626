import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openProject } from '../../../src/cli/project.ts'
import { today } from '../../../src/cli/templates.ts'
import { openJournal } from '../../../src/journal/open-journal.ts'
import { prepareProject, runPaths } from '../../../src/journal/project-state.ts'
import { createRun } from '../../../src/journal/runs.ts'
import { thisHost } from '../../../src/store/host.ts'
import { acquireLock } from '../../../src/store/lock.ts'
import { CommandLab } from '../../support/command-line.ts'
import { runStarted } from '../../support/events.ts'
import { value } from '../../support/repositories.ts'
import { list, stage, story } from '../../support/task-list.ts'

const finished = list([story('US-001', stage.approved), story('US-002', stage.approved)])

let lab: CommandLab
beforeEach(() => {
  lab = new CommandLab()
  lab.start({
    'README.md': 'hello\n',
    'ralph/prd.md': '# My PRD\n',
    'ralph/prompt.md': 'my prompt\n',
    'ralph/progress.txt': '# Ralph Progress Log\nStarted: 2026-01-02\n---\nwork\n',
  })
  lab.writeTasks(finished)
  lab.commit('loop')
})
afterEach(() => lab.remove())

const environment = () => ({ ...lab.environment, RALPH_STATE_DIR: join(lab.root, 'state') })

const archives = () => (lab.has('ralph-archive') ? readdirSync(join(lab.project, 'ralph-archive')).toSorted() : [])

describe('ralph archive', () => {
  it('files the loop away, begins anew from the templates and commits both', async () => {
    const before = lab.read('ralph/tasks.json')
    const called = await lab.ralph(['archive'])
    const place = `ralph-archive/${today()}-demo`
    expect(called).toEqual({
      code: 0,
      out:
        `Archived to ${place}; ralph/ begins anew from the templates, its prompt.md is kept.\n` +
        'Next: Write ralph/prd.md and ralph/tasks.json of the next loop; "ralph check" looks at them.',
      err: '',
    })
    expect(lab.read(`${place}/tasks.json`)).toBe(before)
    expect(lab.read(`${place}/prd.md`)).toBe('# My PRD\n')
    expect(lab.read(`${place}/progress.txt`)).toContain('work')
    expect(lab.read(`${place}/summary.md`)).toContain(`- Dates: 2026-01-02 to ${today()}\n- Stories: 2 of 2 completed`)
    expect(lab.read('ralph/prompt.md')).toBe('my prompt\n')
    expect(lab.tasks()).toMatchObject({ branchName: 'ralph/feature-name', userStories: [{ title: '' }] })
    expect(lab.read('ralph/progress.txt')).toContain(`Started: ${today()}\nPRD: project`)
    expect(lab.read('ralph/prd.md')).toContain('# PRD')
    expect(lab.lastCommit()).toEqual({
      subject: `ralph: archive ${place}`,
      author: 'Ralph <ralph@localhost>',
      files: [
        ...['prd.md', 'progress.txt', 'summary.md', 'tasks.json'].map((file) => `${place}/${file}`),
        ...['prd.md', 'progress.txt', 'tasks.json'].map((file) => `ralph/${file}`),
      ].toSorted(),
    })
    expect(lab.git('status', '--porcelain')).toBe('')
  })

  it('takes the label, and counts on where the name is taken', async () => {
    for (const name of ['first', 'first-2', 'first-3']) {
      lab.writeTasks(finished)
      expect(await lab.ralph(['archive', '--label', 'First!'])).toMatchObject({ code: 0 })
      expect(archives()).toContain(`${today()}-${name}`)
    }
  })

  it.each(['../../../evil', '/etc/evil', '..\\..\\evil', 'evil\0', '.git/hooks/evil', '-evil'])(
    'archive-label-traversal: %j stays in the archive',
    async (label) => {
      expect(await lab.ralph(['archive', `--label=${label}`])).toMatchObject({ code: 0 })
      expect(archives()).toHaveLength(1)
      expect(archives()[0]).toMatch(/^\d{4}-\d\d-\d\d-[a-z-]*evil$/)
      expect(readdirSync(lab.root).toSorted()).toEqual(['gitconfig', 'home', 'project', 'state'])
    },
  )

  it('leaves the user’s other changes alone, past hooks', async () => {
    lab.write('.git/hooks/pre-commit', '#!/bin/sh\nexit 1\n', 0o755)
    lab.write('README.md', 'changed\n')
    lab.write('new.txt', 'x\n')
    lab.git('add', 'new.txt')
    expect(await lab.ralph(['archive'])).toMatchObject({ code: 0 })
    expect(lab.git('status', '--porcelain')).toBe(' M README.md\nA  new.txt\n')
  })

  it('takes an unfinished or unreadable loop only with --force', async () => {
    lab.writeTasks(list([story('US-001', stage.approved), story('US-002')]))
    expect(await lab.ralph(['archive'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('1 story is open (US-002)') as string,
    })
    expect(archives()).toEqual([])
    expect(readdirSync(lab.root)).not.toContain('state')
    expect(await lab.ralph(['archive', '--force'])).toMatchObject({ code: 0 })
    lab.write('ralph/tasks.json', '{ broken')
    expect(await lab.ralph(['archive'])).toMatchObject({ code: 2 })
    expect(lab.read('ralph/tasks.json')).toBe('{ broken')
    expect(await lab.ralph(['archive', '--force'])).toMatchObject({ code: 0 })
    expect(lab.read(`ralph-archive/${today()}-unreadable/tasks.json`)).toBe('{ broken')
  })

  it('takes a loop that ran without review for finished', async () => {
    lab.writeTasks(list([story('US-001', stage.passed)]))
    expect(await lab.ralph(['archive'])).toMatchObject({ code: 0 })
  })

  it('says how to begin the next loop where the last run would go on', async () => {
    const { state } = value(openProject({ cwd: lab.project, env: environment() }))
    value(prepareProject(state))
    const clock = { now: () => Date.parse('2026-01-01T00:00:00Z'), elapsed: () => 0 }
    const runId = value(createRun(state, clock))
    const journal = value(openJournal(runPaths(state, runId).journal, { clock }))
    value(journal.append({ ...runStarted, runId } as typeof runStarted))
    journal.close()
    expect(await lab.ralph(['archive'])).toMatchObject({
      code: 0,
      err: expect.stringContaining('"ralph run --fresh"') as string,
    })
  })

  it('says what git ignores and did not commit', async () => {
    lab.write('.gitignore', 'ralph-archive/\n')
    lab.commit('ignore')
    const called = await lab.ralph(['archive'])
    expect(called).toMatchObject({ code: 0, err: expect.stringContaining('because git ignores it') as string })
    expect(lab.lastCommit().files).toEqual(['ralph/prd.md', 'ralph/progress.txt', 'ralph/tasks.json'])
  })
})

describe('ralph archive changes nothing and', () => {
  const untouched = async (...words: string[]) => {
    const before = [lab.read('ralph/tasks.json'), lab.git('rev-parse', 'HEAD'), archives()]
    const called = await lab.ralph(['archive', ...words])
    expect([lab.read('ralph/tasks.json'), lab.git('rev-parse', 'HEAD'), archives()]).toEqual(before)
    return called
  }

  it('refuses inside a loop', async () => {
    lab.extraEnvironment['RALPH_RUN_ID'] = '20260101-120000-0a1b2c3d'
    expect(await untouched('--force')).toMatchObject({ code: 2 })
  })

  it('refuses while a run is on, with --force too', async () => {
    const { state } = value(openProject({ cwd: lab.project, env: environment() }))
    value(prepareProject(state))
    const lock = value(acquireLock(state.lock, thisHost()))
    const called = await untouched('--force')
    expect(called).toMatchObject({
      code: 3,
      err: expect.stringContaining(`process ${process.pid} runs here`) as string,
    })
    lock.release()
  })

  it('refuses a template that nobody has touched, and a label of no letters', async () => {
    expect(await untouched('--label', '...')).toMatchObject({ code: 2 })
    await lab.ralph(['archive'])
    expect(await untouched()).toMatchObject({ code: 2, err: expect.stringContaining('nothing to archive') as string })
  })

  it('refuses linked directories: ralph-archive, ralph', async () => {
    mkdirSync(join(lab.root, 'elsewhere'))
    symlinkSync(join(lab.root, 'elsewhere'), join(lab.project, 'ralph-archive'))
    expect(await untouched('--force')).toMatchObject({ code: 2, err: expect.stringContaining('link') as string })
    expect(readdirSync(join(lab.root, 'elsewhere'))).toEqual([])
    symlinkSync('ralph', join(lab.project, 'linked'))
    expect(await untouched('--ralph-dir', 'linked')).toMatchObject({ code: 2 })
  })

  it('refuses where there is no loop', async () => {
    const called = await untouched('--ralph-dir', 'other')
    expect(called).toMatchObject({ code: 2, err: expect.stringContaining('other/tasks.json is missing.') as string })
  })
})
