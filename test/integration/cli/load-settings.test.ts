import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { loadSettings } from '../../../src/cli/load-settings.ts'
import { failure, value } from '../../support/repositories.ts'
import { scratch } from '../../support/scratch.ts'

let place: string
let root: string
beforeEach(() => {
  place = scratch()
  root = join(place, 'project')
  mkdirSync(join(root, 'sub'), { recursive: true })
})

function write(path: string, text: string): void {
  mkdirSync(dirname(join(place, path)), { recursive: true })
  writeFileSync(join(place, path), text)
}

const load = (config?: string, cwd = root) => loadSettings(root, { cwd, config })

describe('the settings of a project', () => {
  it('need not be there', () => {
    expect(value(load())).toEqual({ file: null, local: null })
  })

  it('are both of its files', () => {
    write('project/.ralph/settings.json', '{"a": 1}')
    write('project/.ralph/settings.local.json', '{"b": 1}')
    expect(value(load())).toEqual({
      file: { path: '.ralph/settings.json', text: '{"a": 1}' },
      local: { path: '.ralph/settings.local.json', text: '{"b": 1}' },
    })
  })

  it('may be local only', () => {
    write('project/.ralph/settings.local.json', '{}')
    expect(value(load())).toMatchObject({ file: null, local: { text: '{}' } })
  })

  it('are those that are named, from where the user stands, with the local ones beside them', () => {
    write('project/.ralph/settings.local.json', 'no')
    write('project/sub/ci.json', '{}')
    write('project/sub/ci.local.json', '[]')
    expect(value(load('ci.json', join(root, 'sub')))).toEqual({
      file: { path: 'ci.json', text: '{}' },
      local: { path: 'ci.local.json', text: '[]' },
    })
  })

  it('may lie outside the project, behind a directory of the user’s that is a link', () => {
    write('real/mine.json', '{}')
    symlinkSync(join(place, 'real'), join(place, 'dots'))
    expect(value(load('../dots/mine.json'))).toMatchObject({ file: { text: '{}' }, local: null })
  })

  it('that are named must be there', () => {
    expect(failure(load('none.json'))).toMatchObject({ reason: 'missing-file', path: 'none.json' })
    expect(failure(load('../none/none.json'))).toMatchObject({ reason: 'missing-file' })
  })

  it('in the project may not be behind a link', () => {
    write('outside/settings.json', '{}')
    symlinkSync(join(place, 'outside'), join(root, '.ralph'))
    expect(failure(load())).toMatchObject({ reason: 'unsafe-file', path: '.ralph/settings.json' })
    expect(failure(load('.ralph/settings.json'))).toMatchObject({ reason: 'unsafe-file' })
  })
})
