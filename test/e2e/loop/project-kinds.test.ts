import { chmodSync, existsSync, mkdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { eventsOf, starts, stopOf } from '../../support/loop-events.ts'
import { LoopProject, violationsIn, type RunResult } from '../../support/loop-project.ts'

let lab: LoopProject
afterEach(() => lab.remove())

function expectComplete({ exitCode, events }: RunResult): void {
  expect(violationsIn(events)).toEqual([])
  expect(stopOf(events)).toEqual({ reason: 'complete', exitCode: 0 })
  expect(exitCode).toBe(0)
}

/** An agent whose own commits do not come about. */
const cannotCommit = `
  try { stage.honest() } catch (error) { stage.remember({ refused: String(error.stderr).slice(0, 200) }) }
  stage.say('could not commit')`

describe('a project whose own git refuses commits does not stop a run:', () => {
  it('a pre-commit hook of husky that fails', async () => {
    lab = new LoopProject({ files: { '.husky/pre-commit': '#!/bin/sh\necho lint failed >&2\nexit 1\n' } })
    chmodSync(join(lab.project, '.husky/pre-commit'), 0o755)
    lab.commit('executable')
    lab.git('config', 'core.hooksPath', '.husky')
    const result = await lab.play(cannotCommit).run()
    expectComplete(result)
    expect(lab.notes()['refused']).toContain('lint failed')
    expect(lab.git('show', 'HEAD:work/US-001.txt')).toBe('implement\n')
    expect(lab.git('status', '--porcelain')).toBe('')
    expect(lab.git('config', 'core.hooksPath').trim()).toBe('.husky')
  })

  it('commits that are to be signed with a key that is not there', async () => {
    lab = new LoopProject().play(cannotCommit)
    writeFileSync(
      lab.env['GIT_CONFIG_GLOBAL'] ?? '',
      '[user]\n\tname = User\n\temail = u@example.org\n\tsigningKey = 0xDEADBEEF\n[commit]\n\tgpgsign = true\n[gpg]\n\tprogram = /bin/false\n',
    )
    const result = await lab.run()
    expectComplete(result)
    expect(lab.notes()['refused']).toContain('gpg failed')
    expect(lab.git('status', '--porcelain')).toBe('')
  })

  it('hooks that an author installs in good faith go back without being an error', async () => {
    lab = new LoopProject().play(`
      if (stage.mode === 'implement') {
        stage.write('.husky/pre-push', 'exit 0')
        stage.git('config', 'core.hooksPath', '.husky')
      }
      stage.honest()`)
    expectComplete(await lab.run())
    expect(() => lab.git('config', 'core.hooksPath')).toThrow()
  })
})

describe('what checks and tests leave behind is nobody’s fault', () => {
  const verify = [
    '#!/bin/sh',
    'mkdir -p coverage src/__pycache__ && date +%N > coverage/lcov.info && date +%N > src/__pycache__/a.$$.pyc',
    'echo run > .coverage',
    'test -d work',
    '',
  ].join('\n')

  it('without a .gitignore, also when the reviewer runs the tests itself', async () => {
    lab = new LoopProject({
      stories: 2,
      files: { 'verify.sh': verify, 'src/a.py': 'a = 1\n' },
      verifyCommands: ['sh verify.sh'],
    })
    const result = await lab
      .play(
        `
      if (stage.mode === 'review') {
        stage.sh('sh verify.sh')
        stage.edit((_, one) => Object.assign(one, { reviewStatus: 'approved', passes: true, reviewCount: one.reviewCount + 1 }))
        stage.git('commit', '-q', '-m', 'review', '--', 'ralph')
      } else {
        stage.write('work/' + stage.story + '.txt', 'x')
        stage.edit((_, one) => Object.assign(one, { reviewStatus: 'needs_review', notes: 'Did it.' }))
        stage.git('add', 'work', 'ralph')
        stage.git('commit', '-q', '-m', 'work')
      }
      stage.say('done')`,
      )
      .run()
    expectComplete(result)
    expect(starts(result.events)).toHaveLength(4)
    expect(lab.git('ls-files').split('\n')).not.toContain('coverage/lcov.info')
    expect(existsSync(join(lab.project, 'coverage/lcov.info'))).toBe(true)
  })

  it('an author that commits them and a check that writes them anew', async () => {
    lab = new LoopProject({
      stories: 2,
      files: { 'verify.sh': verify, 'src/a.py': 'a = 1\n' },
      verifyCommands: ['sh verify.sh'],
    })
    const result = await lab
      .play(`if (stage.mode === 'implement') stage.sh('mkdir -p work; sh verify.sh')\nstage.honest()`)
      .run()
    expectComplete(result)
    expect(lab.git('status', '--porcelain', '--untracked-files=no')).toBe('')
  })

  it('a reviewer that commits them with its verdict is told, and the next one gives it without', async () => {
    lab = new LoopProject({ files: { 'verify.sh': verify, 'src/a.py': 'a = 1\n' }, verifyCommands: ['sh verify.sh'] })
    const { exitCode, events } = await lab
      .play(
        `
      if (stage.mode === 'review' && !stage.prompt.includes('coverage/lcov.info: a review iteration judges')) stage.sh('sh verify.sh')
      stage.honest()`,
      )
      .run()
    expect(violationsIn(events)).toContain('approval-void')
    expect(starts(events)).toEqual(['implement US-001', 'review US-001', 'review US-001'])
    expect(exitCode).toBe(0)
  })

  it('one that an author has committed is work like any other: the commit holds what the checks ran on', async () => {
    const generate =
      'mkdir -p out; test -f out/a.txt || echo good > out/a.txt; test -d work && grep -q good out/a.txt\n'
    lab = new LoopProject({ stories: 2, files: { 'verify.sh': generate }, verifyCommands: ['sh verify.sh'] }).play(`
      if (stage.mode === 'implement') stage.write('out/a.txt', 'bad')
      stage.honest()
      if (stage.mode === 'implement') stage.write('out/a.txt', 'good')`)
    expectComplete(await lab.run())
    expect(lab.git('show', 'HEAD:out/a.txt')).toBe('good')
    expect(lab.git('status', '--porcelain')).toBe('')
  })

  it('a check that rewrites a tracked file: it goes back, and nobody is blamed', async () => {
    lab = new LoopProject({
      files: {
        'package-lock.json': '{"lockfileVersion": 3}\n',
        'verify.sh': 'date +%N > package-lock.json; test -d work\n',
      },
      verifyCommands: ['sh verify.sh'],
    }).play('stage.honest()')
    expectComplete(await lab.run())
    expect(lab.read('package-lock.json')).toBe('{"lockfileVersion": 3}\n')
    expect(lab.git('status', '--porcelain')).toBe('')
  })
})

describe('projects of all kinds', () => {
  it('with line ends of Windows, converted by git', async () => {
    lab = new LoopProject({ files: { '.gitattributes': '* text=auto\n*.bat eol=crlf\n', 'run.bat': 'echo\r\n' } })
    lab.git('config', 'core.autocrlf', 'true')
    for (const path of ['README.md', 'ralph/tasks.json', 'ralph/prd.md', 'ralph/progress.txt']) {
      lab.write(path, lab.read(path).replaceAll('\n', '\r\n'))
    }
    lab.git('add', '-A')
    expect(lab.git('status', '--porcelain')).toBe('')
    const result = await lab
      .play(
        `
      if (stage.mode === 'review' && stage.first('rejected')) stage.reject('More.')
      else stage.honest()
      stage.append('ralph/progress.txt', '## entry\\r\\n')
      stage.commit()`,
      )
      .run()
    expectComplete(result)
    expect(lab.read('README.md')).toBe('a project\r\n')
    expect(lab.git('status', '--porcelain')).toBe('')
  })

  it('with a submodule', async () => {
    lab = new LoopProject()
    const library = join(lab.root, 'library')
    lab.git('clone', '-q', '.', library)
    lab.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'vendor/library')
    lab.commit('a library')
    const result = await lab.play('stage.honest()').run()
    expectComplete(result)
    expect(lab.git('submodule', 'status').trim()).toMatch(/^[0-9a-f]{40} vendor\/library/)
    expect(lab.git('status', '--porcelain')).toBe('')
  })

  it('with a history that was cut off when it was cloned', async () => {
    lab = new LoopProject()
    lab.git('commit', '-q', '--allow-empty', '-m', 'more')
    const place = join(lab.root, 'shallow')
    lab.git('clone', '-q', '--depth', '1', `file://${lab.project}`, place)
    expectComplete(await lab.play('stage.honest()').run(['-d', place]))
  })

  it('with the loop in another directory, called from elsewhere', async () => {
    lab = new LoopProject()
    lab.git('mv', 'ralph', 'my loop')
    lab.commit('moved')
    lab.play(`
      if (stage.mode === 'review' && stage.first('rejected')) stage.reject('More.')
      else stage.honest()`)
    const args = ['run', '-d', lab.project, '--ralph-dir', 'my loop']
    const { exitCode } = await lab.command(args, {}, lab.home)
    const events = lab.events()
    expectComplete({ exitCode, stdout: '', stderr: '', events })
    expect(starts(events)).toHaveLength(4)
    expect(existsSync(join(lab.project, 'ralph'))).toBe(false)
  })

  it('in which more is left uncommitted than anybody wants in one commit: a person decides at the end', async () => {
    lab = new LoopProject().play(`
      stage.commit = () => {
        stage.git('add', 'work', 'ralph')
        stage.git('commit', '-q', '-m', stage.mode)
      }
      stage.honest()
      if (stage.mode === 'implement') stage.sh('head -c 21000000 /dev/zero > big.bin')`)
    const first = await lab.run()
    expect(violationsIn(first.events)).toEqual([])
    expect(stopOf(first.events)).toEqual({ reason: 'waiting', exitCode: 4 })
    expect(first.stdout).toContain('big.bin')
    lab.write('.gitignore', 'big.bin\n')
    const second = await lab.run()
    expect(starts(second.events)).toEqual([])
    expect(second.exitCode).toBe(0)
  })

  it('with links, dangling ones and new ones too', async () => {
    lab = new LoopProject({ files: { 'docs/a.md': 'a\n' } })
    symlinkSync('docs', join(lab.project, 'documentation'))
    symlinkSync('../nowhere', join(lab.project, 'dangling'))
    symlinkSync('/etc/hostname', join(lab.project, 'outside'))
    lab.commit('links')
    const result = await lab
      .play(`if (stage.mode === 'implement') stage.sh('ln -s a.md docs/b.md')\nstage.honest()`)
      .run()
    expectComplete(result)
    expect(readlinkSync(join(lab.project, 'dangling'))).toBe('../nowhere')
    expect(lab.git('ls-files', '-s', 'docs/b.md')).toMatch(/^120000/)
  })

  it('in a path with blanks, quotes and letters of all kinds', async () => {
    lab = new LoopProject({ files: { 'check me.sh': 'test -d work\n' }, verifyCommands: [`sh "./check me.sh"`] })
    const place = join(lab.root, `ein Projekt, “für” 'alle' $HOME & 日本`)
    mkdirSync(place)
    lab.git('clone', '-q', '.', place)
    const result = await lab.play('stage.honest()').run(['-d', place])
    expectComplete(result)
  })

  it('with two thousand files, and names that hardly anybody gives', async () => {
    const files: Record<string, string> = {}
    for (let n = 0; n < 2000; n++) files[`src/${n % 40}/file-${n}.txt`] = `${n}\n`
    for (const name of [
      'a\nb.txt',
      ' blank ',
      '-rf',
      'quote"s\'.txt',
      'star*.txt',
      ':(top)x',
      'back\\slash',
      'ünï.txt',
      '~',
    ])
      files[`names/${name}`] = 'x\n'
    lab = new LoopProject({ files })
    writeFileSync(Buffer.concat([Buffer.from(join(lab.project, 'names/')), Buffer.from([0x66, 0xff, 0xfe])]), 'latin\n')
    lab.commit('not even text')
    const result = await lab
      .play(
        `
      if (stage.mode === 'implement') {
        stage.write('names/new\\nline\\t.txt', 'x')
        stage.write('names/star*.txt', 'changed')
        stage.remove('names/-rf')
        stage.edit((_, one) => Object.assign(one, { reviewStatus: 'needs_review', notes: 'Did it.' }))
        stage.write('work/x', 'x')
        stage.say('left for the runner')
      } else stage.honest()`,
      )
      .run()
    expectComplete(result)
    expect(lab.git('status', '--porcelain')).toBe('')
    expect(lab.git('show', 'HEAD:names/star*.txt')).toBe('changed')
    expect(lab.git('show', 'HEAD:names/new\nline\t.txt')).toBe('x')
    expect(lab.git('show', 'HEAD:names/a\nb.txt')).toBe('x\n')
    expect(eventsOf(result.events, 'state.repaired')).toHaveLength(1)
  })
})
