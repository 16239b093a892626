import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openProject } from '../../../src/cli/project.ts'
import { openJournal } from '../../../src/journal/open-journal.ts'
import { prepareProject, runPaths } from '../../../src/journal/project-state.ts'
import { createRun } from '../../../src/journal/runs.ts'
import { thisHost } from '../../../src/store/host.ts'
import { acquireLock } from '../../../src/store/lock.ts'
import { CommandLab } from '../../support/command-line.ts'
import { iterationEvents, runStarted } from '../../support/events.ts'
import { value } from '../../support/repositories.ts'
import { list, stage, story } from '../../support/task-list.ts'

let lab: CommandLab
beforeEach(() => {
  lab = new CommandLab()
  lab.start({ 'README.md': 'hello\n', 'ralph/prd.md': '# PRD\n' })
  lab.git('switch', '-q', '-c', 'ralph/demo')
  lab.writeTasks(list([story('US-001', stage.rejected), story('US-002', { blocked: 'Needs a key' })]))
  lab.commit('list')
})
afterEach(() => lab.remove())

const state = () =>
  value(openProject({ cwd: lab.project, env: { ...lab.environment, RALPH_STATE_DIR: join(lab.root, 'state') } })).state

const first = () => lab.tasks().userStories[0]

describe('ralph story', () => {
  it('approves a story, with the reason in its notes and in a commit of the user', async () => {
    expect(await lab.ralph(['story', 'approve', 'US-001', '--reason', 'tried it'])).toEqual({
      code: 0,
      out: 'Approved US-001. Its checks still have to pass at the end of a run.',
      err: '',
    })
    expect(first()).toMatchObject({ passes: true, reviewStatus: 'approved', reviewFeedback: 'Handle the empty case.' })
    expect(first()?.notes).toMatch(/^Notes on US-001\.\n\[\d{4}-\d\d-\d\d\] Approved by hand: tried it$/)
    expect(lab.lastCommit()).toEqual({
      subject: 'ralph: approve US-001 by hand: tried it',
      author: 'User <user@example.org>',
      files: ['ralph/tasks.json'],
    })
    expect(lab.git('status', '--porcelain')).toBe('')
  })

  it('reopens and unblocks', async () => {
    expect(await lab.ralph(['story', 'reopen', 'US-001', '--reason', 'wrong idea'])).toMatchObject({ code: 0 })
    expect(first()).toMatchObject({ passes: false, reviewStatus: null, reviewCount: 0, reviewFeedback: '' })
    expect(await lab.ralph(['story', 'unblock', 'US-002', '--reason', 'key is there'])).toMatchObject({ code: 0 })
    expect(lab.tasks().userStories[1]).not.toHaveProperty('blocked')
    expect(lab.lastCommit().subject).toBe('ralph: unblock US-002 by hand: key is there')
  })

  it('commits the list alone, whatever is staged or changed, past hooks and signing', async () => {
    lab.write('.git/hooks/pre-commit', '#!/bin/sh\nexit 1\n', 0o755)
    lab.write('.git/hooks/post-commit', `#!/bin/sh\ntouch '${lab.canary}'\n`, 0o755)
    lab.git('config', 'commit.gpgSign', 'true')
    lab.git('config', 'core.fsmonitor', lab.trap())
    lab.write('README.md', 'changed\n')
    lab.write('staged.txt', 'x\n')
    lab.git('-c', 'core.fsmonitor=false', 'add', 'staged.txt')
    expect(await lab.ralph(['story', 'reopen', 'US-001', '--reason', 'x'])).toMatchObject({ code: 0 })
    expect(lab.sprang()).toBe(false)
    expect(lab.git('-c', 'core.fsmonitor=false', 'status', '--porcelain')).toBe(' M README.md\nA  staged.txt\n')
  })

  it('commits as Ralph where git knows no name', async () => {
    lab.write(lab.globalConfig, '[user]\n\tuseConfigOnly = true\n')
    expect(await lab.ralph(['story', 'reopen', 'US-001', '--reason', 'x'])).toMatchObject({ code: 0 })
    expect(lab.lastCommit().author).toBe('Ralph <ralph@localhost>')
  })

  it("takes the user's name from the variables of git", async () => {
    lab.extraEnvironment['GIT_AUTHOR_NAME'] = 'Someone'
    await lab.ralph(['story', 'reopen', 'US-001', '--reason', 'x'])
    expect(lab.lastCommit().author).toBe('Someone <user@example.org>')
  })

  it('makes one visible line of any reason', async () => {
    await lab.ralph(['story', 'reopen', 'US-001', '--reason', ' a\n\nb\u001b[2J '])
    expect(lab.lastCommit().subject).toBe('ralph: reopen US-001 by hand: a b\\u{1b}[2J')
  })

  it('says so where there is nothing to do, and commits nothing', async () => {
    const before = lab.git('rev-parse', 'HEAD')
    expect(await lab.ralph(['story', 'unblock', 'US-001', '--reason', 'x'])).toMatchObject({
      code: 0,
      out: 'Nothing to do: US-001 is not blocked.',
    })
    expect(lab.git('rev-parse', 'HEAD')).toBe(before)
  })

  it('says that a loop works on another branch', async () => {
    lab.git('switch', '-q', '-c', 'elsewhere')
    const called = await lab.ralph(['story', 'reopen', 'US-001', '--reason', 'x'])
    expect(called.err).toBe('This was on the branch elsewhere; a loop works on ralph/demo.')
  })

  it('changes a list that git ignores, and says that it is in no commit', async () => {
    lab.git('rm', '-q', '--cached', 'ralph/tasks.json')
    lab.write('.gitignore', 'ralph/tasks.json\n')
    lab.commit('ignore it')
    const called = await lab.ralph(['story', 'reopen', 'US-001', '--reason', 'x'])
    expect(called).toMatchObject({ code: 0, err: 'It is in no commit: git ignores ralph/tasks.json.' })
  })

  it('takes a list with a story that passed without review', async () => {
    lab.writeTasks(list([story('US-001', stage.rejected), story('B', stage.passed)]))
    expect(await lab.ralph(['story', 'approve', 'US-001', '--reason', 'x'])).toMatchObject({ code: 0 })
  })
})

describe('ralph story changes nothing and', () => {
  const untouched = async (words: readonly string[]) => {
    const before = [lab.read('ralph/tasks.json'), lab.git('rev-parse', 'HEAD')]
    const called = await lab.ralph(['story', ...words])
    expect([lab.read('ralph/tasks.json'), lab.git('rev-parse', 'HEAD')]).toEqual(before)
    return called
  }

  it.each([
    [['approve', 'US-001'], 'Why do you approve this story?'],
    [['approve', 'US-001', '--reason', '  '], 'Why do you approve this story?'],
    [['approve', 'US-01', '--reason', 'x'], 'The nearest is "US-001".'],
    [['aprove', 'US-001', '--reason', 'x'], 'the nearest is "ralph story approve"'],
    [['approve'], 'Missing required argument'],
  ])('refuses %j', async (words, why) => {
    expect(await untouched(words)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(why) as string })
  })

  it('refuses inside a loop', async () => {
    lab.extraEnvironment['RALPH_RUN_ID'] = '20260101-120000-0a1b2c3d'
    expect(await untouched(['approve', 'US-001', '--reason', 'x'])).toMatchObject({ code: 2 })
  })

  it('says who runs there', async () => {
    value(prepareProject(state()))
    const lock = value(acquireLock(state().lock, thisHost()))
    const called = await untouched(['approve', 'US-001', '--reason', 'x'])
    expect(called).toMatchObject({
      code: 3,
      err: expect.stringContaining(`process ${process.pid} runs here`) as string,
    })
    lock.release()
    expect(await lab.ralph(['story', 'approve', 'US-001', '--reason', 'x'])).toMatchObject({ code: 0 })
  })

  it('waits for an iteration that nobody has judged', async () => {
    const clock = { now: () => Date.parse('2026-01-01T00:00:00Z'), elapsed: () => 0 }
    value(prepareProject(state()))
    const runId = value(createRun(state(), clock))
    const journal = value(openJournal(runPaths(state(), runId).journal, { clock }))
    for (const event of [{ ...runStarted, runId }, ...iterationEvents(1).slice(0, 1)]) value(journal.append(event))
    journal.close()
    const called = await untouched(['approve', 'US-001', '--reason', 'x'])
    expect(called).toMatchObject({ code: 3, err: expect.stringContaining('nobody has judged yet') as string })
  })

  it.each([['US-009'], ['US-001', '--project-dir', '..']])('leaves nothing behind for %j', async (...words) => {
    const called = await lab.ralph(['story', 'approve', ...words, '--reason', 'x'])
    expect([2, 3]).toContain(called.code)
    expect(existsSync(join(lab.root, 'state'))).toBe(false)
  })

  it('refuses a list that is wrong, before or after', async () => {
    lab.writeTasks(list([story('US-001', { title: 5 as never })]))
    expect((await untouched(['approve', 'US-001', '--reason', 'x'])).err).toContain('Story US-001: title must be text')
    lab.writeTasks(list([story('US-001'), story('B', { dependsOn: ['C'] })]))
    expect(await untouched(['approve', 'US-001', '--reason', 'x'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('dependsOn names C') as string,
    })
  })

  it('puts the list back when git cannot commit', async () => {
    lab.write('.git/index.lock', '')
    const called = await untouched(['approve', 'US-001', '--reason', 'x'])
    expect(called).toMatchObject({ code: 3, err: expect.stringContaining('git could not commit') as string })
  })

  it('refuses a list behind a link', async () => {
    symlinkSync('ralph', join(lab.project, 'linked'))
    expect(await untouched(['approve', 'US-001', '--reason', 'x', '--ralph-dir', 'linked'])).toMatchObject({ code: 2 })
  })

  it.each([
    ['a merge is open', () => lab.write('.git/MERGE_HEAD', `${'0'.repeat(40)}\n`)],
    ['HEAD is detached', () => lab.git('switch', '-q', '--detach')],
  ])('refuses a repository in which %s', async (_, prepare) => {
    prepare()
    expect(await untouched(['approve', 'US-001', '--reason', 'x'])).toMatchObject({ code: 3 })
  })
})
