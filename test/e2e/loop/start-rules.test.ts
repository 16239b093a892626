import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { diskPrint } from '../../support/disk-print.ts'
import { eventsOf, starts, stopOf } from '../../support/loop-events.ts'
import { LoopProject, violationsIn } from '../../support/loop-project.ts'
import { until } from '../../support/until.ts'

let lab: LoopProject
afterEach(() => lab.remove())

/** Does its work and commits no more than that. */
const careful = `
  if (stage.mode === 'review') {
    stage.edit((_, one) => Object.assign(one, { reviewStatus: 'approved', passes: true, reviewCount: one.reviewCount + 1 }))
  } else {
    stage.write('work/' + stage.story + '.txt', stage.mode)
    stage.edit((_, one) => Object.assign(one, { reviewStatus: 'needs_review', notes: 'Did it.' }))
    stage.git('add', 'work')
  }
  stage.git('commit', '-q', '-m', stage.mode, '--', 'ralph', ...(stage.mode === 'review' ? [] : ['work']))
  stage.say('done')`

describe('with --allow-dirty', () => {
  const makeDirty = () => {
    lab.write('README.md', 'changed by hand\n')
    lab.write('new.txt', 'by hand\n')
    lab.write('staged.txt', 'by hand\n')
    lab.git('add', 'staged.txt')
    rmSync(join(lab.project, 'gone.txt'))
  }

  it('the marker tells the hooks what was dirty', async () => {
    lab = new LoopProject({ files: { 'gone.txt': 'x\n' } }).play(
      `stage.remember({ leaveOut: JSON.parse(stage.read('.ralph-active')).leaveOut })\n${careful}`,
    )
    makeDirty()
    expect((await lab.run(['--allow-dirty'])).exitCode).toBe(0)
    const told = lab.notes()['leaveOut'] as string[]
    expect(told.toSorted()).toEqual(['README.md', 'gone.txt', 'new.txt', 'staged.txt'])
  })

  it('what was dirty stays as it was: in no commit, in no judgement', async () => {
    lab = new LoopProject({ files: { 'gone.txt': 'x\n' } }).play(careful)
    makeDirty()
    const { exitCode, events } = await lab.run(['--allow-dirty'])
    expect(violationsIn(events)).toEqual([])
    expect(exitCode).toBe(0)
    expect(lab.git('status', '--porcelain').split('\n').filter(Boolean).toSorted()).toEqual(
      [' D gone.txt', ' M README.md', '?? new.txt', 'A  staged.txt'].toSorted(),
    )
    expect(lab.read('README.md')).toBe('changed by hand\n')
    expect(lab.git('log', '--format=', '--name-only', 'main..').split('\n')).not.toContain('README.md')
  })

  it('a reviewer that touches such a file is not blamed, and what an author leaves is committed without them', async () => {
    lab = new LoopProject({ files: { 'gone.txt': 'x\n' } }).play(`
      stage.append('README.md', 'more\\n')
      if (stage.mode === 'implement') stage.write('src/left.txt', 'left')
      ${careful}`)
    makeDirty()
    const { exitCode, events } = await lab.run(['--allow-dirty'])
    expect(violationsIn(events)).toEqual([])
    expect(exitCode).toBe(0)
    expect(lab.git('show', 'HEAD:src/left.txt')).toBe('left')
    expect(lab.git('show', 'HEAD:README.md')).toBe('a project\n')
    expect(lab.read('README.md')).toBe('changed by hand\nmore\nmore\n')
    expect(lab.git('ls-tree', '--name-only', 'HEAD').split('\n')).toContain('gone.txt')
  })

  it('the same holds when the run is resumed', async () => {
    lab = new LoopProject({ stories: 2 }).play(`
      if (stage.first('hangs')) await new Promise(() => setInterval(() => undefined, 1000))
      ${careful}`)
    lab.write('new.txt', 'by hand\n')
    const first = lab.start(['--allow-dirty'])
    await until('the agent works', () => lab.notes()['hangs'])
    first.kill('SIGTERM')
    expect(await first).toMatchObject({ exitCode: 130 })
    const second = await lab.run()
    expect(second.exitCode).toBe(0)
    expect(lab.runs()).toHaveLength(1)
    expect(lab.git('status', '--porcelain')).toBe('?? new.txt\n')
  })
})

describe('the files of the loop', () => {
  it('are committed by the runner when they are new or changed', async () => {
    lab = new LoopProject().play('stage.honest()')
    lab.git('rm', '-rq', '--cached', 'ralph')
    lab.git('commit', '-q', '-m', 'no loop yet')
    lab.write('.gitignore', 'dist/\n')
    lab.write('.ralph/settings.json', '{"maxIterations": 7}')
    const { exitCode, stdout, events } = await lab.run()
    expect(exitCode).toBe(0)
    expect(stdout).toContain('of at most 7')
    const commit = eventsOf(events, 'state.repaired')[0]?.commit ?? ''
    expect(lab.git('show', '--format=%an <%ae>%n%s', '--name-only', commit).split('\n')).toEqual([
      'Ralph <ralph@localhost>',
      'ralph: the files of the loop, as it starts',
      '',
      '.gitignore',
      '.ralph/settings.json',
      'ralph/prd.md',
      'ralph/progress.txt',
      'ralph/tasks.json',
      '',
    ])
    expect(lab.git('show', '--format=%(trailers:key=Ralph-Run,valueonly)', '-s', commit).trim()).toMatch(/^[\w-]+\/0$/)
    expect(lab.git('status', '--porcelain')).toBe('')
  })

  it('may be ignored by git altogether', async () => {
    lab = new LoopProject({ stories: 2, files: { '.gitignore': 'ralph/\n.ralph/\n' } }).play(`
      if (stage.mode === 'review' && stage.first('rejected')) stage.reject('More.')
      else stage.honest()`)
    expect(lab.git('ls-files', 'ralph')).toBe('')
    const { exitCode, events } = await lab.run()
    expect(violationsIn(events)).toEqual([])
    expect(stopOf(events)).toEqual({ reason: 'complete', exitCode: 0 })
    expect(exitCode).toBe(0)
    expect(lab.git('ls-files', 'ralph')).toBe('')
  })

  it('of the runner itself are gone afterwards, and in no status', async () => {
    lab = new LoopProject().play(`stage.remember({ status: stage.git('status', '--porcelain') })\nstage.honest()`)
    await lab.run(['-n', '1'])
    expect(lab.notes()['status']).toBe('')
    expect(existsSync(join(lab.project, '.ralph-active'))).toBe(false)
  })
})

describe('the branch', () => {
  it('is made from HEAD, or switched to with the list that it has', async () => {
    lab = new LoopProject({ stories: 2 }).play('stage.honest()')
    const first = await lab.run(['-n', '2'])
    expect(first.stdout).toContain('On the new branch ralph/feature, made from main.')
    lab.git('checkout', '-q', 'main')
    expect(lab.story('US-001').passes).toBe(false)
    const second = await lab.run()
    expect(second.stdout).toContain('On the branch ralph/feature.')
    expect(starts(second.events)).toEqual(['implement US-002', 'review US-002'])
    expect(second.exitCode).toBe(0)
    expect(lab.git('branch', '--show-current').trim()).toBe('ralph/feature')
  })

  it('may be rewritten between two runs: then nobody knows where a story began, and its review says so', async () => {
    lab = new LoopProject().play(`
      stage.remember({ [stage.mode]: stage.prompt })
      stage.honest()`)
    await lab.run(['-n', '1'])
    lab.git('checkout', '-q', '--orphan', 'anew')
    lab.git('commit', '-q', '-m', 'everything at once')
    lab.git('branch', '-M', 'anew', 'ralph/feature')
    const { exitCode, events } = await lab.run()
    expect(starts(events)).toEqual(['review US-001'])
    expect(exitCode).toBe(0)
    expect(lab.notes()['review']).toContain('The work began before this run')
  })

  it('stays what it is with --no-branch, and that is what is told', async () => {
    lab = new LoopProject().play('stage.honest()')
    const { exitCode, stdout } = await lab.run(['--no-branch'])
    expect(stdout).toContain('Branch: main.')
    expect(exitCode).toBe(0)
    expect(lab.git('branch', '--list').trim()).toBe('* main')
  })

  it('cannot be had where another work tree has it: exit 2 and nothing changes', async () => {
    lab = new LoopProject().play('stage.honest()')
    lab.git('worktree', 'add', '-q', '-b', 'ralph/feature', join(lab.root, 'elsewhere'))
    const before = diskPrint(lab.project)
    const { exitCode, stderr, events } = await lab.run()
    expect(exitCode).toBe(2)
    expect(stderr).toContain('elsewhere')
    expect(stderr).toContain('--no-branch')
    expect(events).toEqual([])
    expect(diskPrint(lab.project)).toEqual(before)
    const there = await lab.run(['-d', join(lab.root, 'elsewhere')])
    expect(there.exitCode).toBe(0)
  })
})
