import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { demoEnvironment } from '../../../src/demo/environment.ts'
import { openPlace, removePlace } from '../../../src/demo/place.ts'
import { prepareDemo } from '../../../src/demo/prepare.ts'
import { demoFiles } from '../../../src/demo/project.ts'
import { failure, gitProgram, value } from '../../support/repositories.ts'
import { scratch } from '../../support/scratch.ts'

function environmentIn(directory: string, over: Record<string, string> = {}): Record<string, string> {
  return demoEnvironment(
    { PATH: process.env['PATH'], HOME: directory, ...over },
    {
      stateDir: join(directory, 'state'),
      configHome: join(directory, 'none'),
      node: process.execPath,
      startedMs: 0,
    },
  )
}

const never = new AbortController().signal

describe('preparing', () => {
  it('makes a repository with one commit of everything, whoever the user is and wherever this is called', async () => {
    const home = scratch()
    // Each of these would break a repository that listens to it.
    writeFileSync(join(home, '.gitconfig'), '[commit]\n\tgpgsign = true\n[core]\n\texcludesFile = ~/ignore\n')
    writeFileSync(join(home, 'ignore'), '*\n')
    mkdirSync(join(home, '.config/git'), { recursive: true })
    writeFileSync(join(home, '.config/git/ignore'), '*.js\n')
    const project = join(home, 'a project')
    const env = environmentIn(home, { GIT_DIR: join(home, 'nowhere'), GIT_AUTHOR_NAME: 'User' })
    value(await prepareDemo({ project, git: gitProgram, env, signal: never }))
    const git = (...args: string[]) => execFileSync(gitProgram, args, { cwd: project, env, encoding: 'utf8' }).trim()
    expect(git('log', '--format=%an %ae')).toBe('Ralph Demo demo@ralph.invalid')
    expect(git('ls-files').split('\n').toSorted()).toEqual(Object.keys(demoFiles).toSorted())
    expect(git('status', '--porcelain')).toBe('')
    expect(existsSync(join(project, '.git/hooks'))).toBe(false)
  })

  it('leaves nothing where git fails', async () => {
    const directory = scratch()
    const project = join(directory, 'p')
    const env = environmentIn(directory)
    const result = await prepareDemo({ project, git: '/bin/false', env, signal: never })
    expect(failure(result)).toMatchObject({ reason: 'git-failed', exitCode: 1 })
    expect(readdirSync(directory)).toEqual([])
  })

  it('leaves nothing when it is interrupted', async () => {
    const directory = scratch()
    const signal = AbortSignal.abort()
    const env = environmentIn(directory)
    const result = await prepareDemo({ project: join(directory, 'p'), git: gitProgram, env, signal })
    expect(result.ok).toBe(false)
    expect(readdirSync(directory)).toEqual([])
  })

  it('touches nothing that is there already', async () => {
    const directory = scratch()
    writeFileSync(join(directory, 'p'), 'mine')
    const env = environmentIn(directory)
    const result = await prepareDemo({ project: join(directory, 'p'), git: gitProgram, env, signal: never })
    expect(failure(result)).toMatchObject({ reason: 'storage', code: 'EEXIST' })
    expect(readdirSync(directory)).toEqual(['p'])
  })
})

describe('the place of a demo', () => {
  it('is a temporary one that goes away whole', () => {
    const place = value(openPlace(null))
    mkdirSync(join(place.stateDir, 'deep'), { recursive: true })
    value(removePlace(place))
    expect(existsSync(place.directory)).toBe(false)
  })

  it('is made where the user wants it', () => {
    const directory = join(scratch(), 'not there', 'yet')
    expect(value(openPlace(directory))).toMatchObject({ directory, isOld: false })
    expect(existsSync(directory)).toBe(true)
  })

  it('keeps project and state apart', () => {
    const { project, stateDir } = value(openPlace(scratch()))
    expect(stateDir.startsWith(`${project}/`)).toBe(false)
    expect(project.startsWith(`${stateDir}/`)).toBe(false)
  })

  it('is that of an earlier demo, which goes on', async () => {
    const directory = scratch()
    const { project } = value(openPlace(directory))
    value(await prepareDemo({ project, git: gitProgram, env: environmentIn(directory), signal: never }))
    expect(value(openPlace(directory)).isOld).toBe(true)
  })

  it.each([
    ['a file of somebody', (directory: string) => writeFileSync(join(directory, 'thesis.txt'), 'mine')],
    ['another project', (directory: string) => mkdirSync(join(directory, 'receipts'))],
    [
      'a project with another list',
      (directory: string) => {
        mkdirSync(join(directory, 'receipts/ralph'), { recursive: true })
        writeFileSync(join(directory, 'receipts/ralph/tasks.json'), '{}')
      },
    ],
  ])('is refused where there is %s', (_name, fill) => {
    const directory = scratch()
    fill(directory)
    expect(failure(openPlace(directory))).toMatchObject({ reason: 'usage' })
  })

  it('is refused where a file is in the way', () => {
    const file = join(scratch(), 'file')
    writeFileSync(file, '')
    for (const path of [file, join(file, 'below')]) expect(failure(openPlace(path))).toMatchObject({ reason: 'usage' })
  })
})
