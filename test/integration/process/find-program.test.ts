import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { findProgram, trustedPath } from '../../../src/process/find-program.ts'
import { scratch } from '../../support/scratch.ts'

let root: string
let project: string
let outside: string

beforeEach(() => {
  root = scratch()
  project = join(root, 'project')
  outside = join(root, 'outside')
  mkdirSync(join(project, 'node_modules/.bin'), { recursive: true })
  mkdirSync(outside)
})

function executable(path: string): string {
  writeFileSync(path, '#!/bin/sh\n')
  chmodSync(path, 0o755)
  return path
}

const find = (name: string, ...entries: string[]): string | null => {
  const found = findProgram(name, { path: entries.join(':'), forbiddenRoot: project })
  return found.ok ? found.value : null
}

describe('findProgram', () => {
  it('path-shim-node-modules-bin-git: passes over the git that lies in the project', () => {
    executable(join(project, 'node_modules/.bin/git'))
    const git = executable(join(outside, 'git'))
    expect(find('git', join(project, 'node_modules/.bin'), outside)).toBe(git)
  })

  it('says which one it refused when there is no other', () => {
    const planted = executable(join(project, 'node_modules/.bin/git'))
    const found = findProgram('git', { path: join(project, 'node_modules/.bin'), forbiddenRoot: project })
    expect(found).toMatchObject({ ok: false, error: { reason: 'program-not-found', program: 'git' } })
    expect(found.ok ? '' : found.error.fix).toContain(planted)
  })

  it('refuses a link from outside to a program in the project', () => {
    symlinkSync(executable(join(project, 'git')), join(outside, 'git'))
    expect(find('git', outside)).toBe(null)
  })

  it('refuses a link that only passes through the project: it can be turned later', () => {
    const real = executable(join(root, 'git'))
    symlinkSync(real, join(project, 'link'))
    symlinkSync(join(project, 'link'), join(outside, 'git'))
    expect(find('git', outside)).toBe(null)
  })

  it('refuses a directory on PATH that is a link into the project', () => {
    executable(join(project, 'node_modules/.bin/git'))
    symlinkSync(join(project, 'node_modules/.bin'), join(root, 'bin'))
    expect(find('git', join(root, 'bin'))).toBe(null)
  })

  it('refuses the project by its other name, when the project was given through a link', () => {
    symlinkSync(project, join(root, 'alias'))
    executable(join(project, 'git'))
    const found = findProgram('git', { path: project, forbiddenRoot: join(root, 'alias') })
    expect(found.ok).toBe(false)
  })

  it('is not led astray by `..` behind a link', () => {
    mkdirSync(join(project, 'sub'))
    symlinkSync(join(project, 'sub'), join(outside, 'sub'))
    executable(join(project, 'git'))
    executable(join(outside, 'git'))
    expect(find(`${outside}/sub/../git`, '')).toBe(null)
    expect(trustedPath({ path: `${outside}/sub/..`, forbiddenRoot: project })).toBe('')
  })

  it('takes a directory that only begins like the project', () => {
    mkdirSync(`${project}-tools`)
    const git = executable(join(`${project}-tools`, 'git'))
    expect(find('git', `${project}-tools`)).toBe(git)
  })

  it('passes over relative entries, empty entries, directories and files that are not executable', () => {
    mkdirSync(join(root, 'a/git'), { recursive: true })
    mkdirSync(join(root, 'b'))
    writeFileSync(join(root, 'b/git'), '')
    const git = executable(join(outside, 'git'))
    expect(find('git', '', '.', 'node_modules/.bin', join(root, 'a'), join(root, 'b'), outside)).toBe(git)
  })

  it('takes a program by its absolute path unless it is in the project', () => {
    const git = executable(join(outside, 'git'))
    expect(find(git, '')).toBe(git)
    expect(find(executable(join(project, 'git')), '')).toBe(null)
  })

  it.each(['./git', 'outside/git', '../git', '', 'gi\0t'])('does not take %j for a name', (name) => {
    executable(join(outside, 'git'))
    expect(find(name, outside, root)).toBe(null)
  })

  it('ends on links that go in a circle', () => {
    symlinkSync(join(outside, 'b'), join(outside, 'a'))
    symlinkSync(join(outside, 'a'), join(outside, 'b'))
    expect(find('a', outside)).toBe(null)
  })
})

describe('trustedPath', () => {
  it('leaves out what an agent could fill', () => {
    symlinkSync(join(project, 'node_modules/.bin'), join(root, 'bin'))
    const path = [join(project, 'node_modules/.bin'), '', '.', 'bin', join(root, 'bin'), outside, '/usr/bin'].join(':')
    expect(trustedPath({ path, forbiddenRoot: project })).toBe(`${outside}:/usr/bin`)
  })
})
