import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { openProject, type ProjectInput } from '../../../src/cli/project.ts'
import { scratch } from '../../support/scratch.ts'

let place: string
let env: Record<string, string>
beforeEach(() => {
  place = scratch()
  mkdirSync(join(place, 'project'))
  env = { HOME: join(place, 'home'), RALPH_STATE_DIR: join(place, 'state') }
})

const open = (input: Partial<ProjectInput> = {}) => openProject({ cwd: join(place, 'project'), env, ...input })

describe('openProject', () => {
  it('takes the directory that the user stands in, and makes nothing', () => {
    const opened = open()
    expect(opened).toMatchObject({ ok: true, value: { root: join(place, 'project'), ralphDir: 'ralph' } })
    expect(opened.ok && opened.value.state.lock).toMatch(/\/state\/project-[0-9a-f]{16}\/lock$/)
    expect(existsSync(join(place, 'state'))).toBe(false)
  })

  it('gives a project the same state however it is reached', () => {
    symlinkSync('project', join(place, 'link'))
    const direct = open()
    expect(open({ cwd: place, projectDir: 'link' })).toEqual(direct)
    expect(open({ cwd: '/', projectDir: join(place, 'link'), ralphDir: join(place, 'link/ralph') })).toEqual(direct)
    expect(open({ cwd: place, projectDir: 'link', ralphDir: join(place, 'project/ralph') })).toEqual(direct)
  })

  it.each([
    ['tools/loop/', 'tools/loop'],
    ['./ralph', 'ralph'],
    ['..loop', '..loop'],
  ])('reads --ralph-dir %j from the project', (ralphDir, relative) => {
    expect(open({ ralphDir })).toMatchObject({ ok: true, value: { ralphDir: relative } })
  })

  it.each(['.', '', '..', '../other', '/etc', '.git/ralph', '.GIT'])('refuses --ralph-dir %j', (ralphDir) => {
    expect(open({ ralphDir })).toMatchObject({ ok: false, error: { reason: 'usage' } })
  })

  it('refuses a directory that is not there, or is none', () => {
    writeFileSync(join(place, 'project/file'), '')
    expect(open({ projectDir: 'nowhere' })).toMatchObject({ ok: false, error: { reason: 'missing-file' } })
    expect(open({ projectDir: 'file' })).toMatchObject({ ok: false, error: { reason: 'usage' } })
    expect(open({ projectDir: 'file/below' })).toMatchObject({ ok: false, error: { reason: 'missing-file' } })
  })

  it('refuses the home directory and what contains the state', () => {
    expect(open({ env: { ...env, HOME: join(place, 'project') } })).toMatchObject({
      ok: false,
      error: { reason: 'unsafe-project' },
    })
    expect(open({ env: { ...env, RALPH_STATE_DIR: join(place, 'project/state') } })).toMatchObject({
      ok: false,
      error: { reason: 'unsafe-project' },
    })
  })
})
