import { mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stateDirectory, stateRoot } from '../../../src/journal/state-directory.ts'
import { scratch } from '../../support/scratch.ts'

function made(...parts: string[]): string {
  const path = join(...parts)
  mkdirSync(path, { recursive: true })
  return path
}

describe('stateRoot', () => {
  it.each([
    [{}, '/home/u/.local/state/ralph'],
    [{ XDG_STATE_HOME: '/xdg' }, '/xdg/ralph'],
    [{ XDG_STATE_HOME: '/xdg', RALPH_STATE_DIR: '/own' }, '/own'],
    [{ XDG_STATE_HOME: '', RALPH_STATE_DIR: '' }, '/home/u/.local/state/ralph'],
    [{ XDG_STATE_HOME: 'relative' }, '/home/u/.local/state/ralph'],
  ])('of %j is %s', (env, root) => {
    expect(stateRoot({ env, home: '/home/u' })).toEqual({ ok: true, value: root })
  })

  it('refuses a RALPH_STATE_DIR that depends on where one stands', () => {
    const root = stateRoot({ env: { RALPH_STATE_DIR: 'state' }, home: '/home/u' })
    expect(root).toMatchObject({ ok: false, error: { reason: 'usage' } })
  })

  it.each(['', 'home'])('refuses a HOME that depends on where one stands: %j', (home) => {
    const message = expect.stringContaining('HOME') as string
    expect(stateRoot({ env: {}, home })).toMatchObject({ ok: false, error: { reason: 'usage', message } })
  })
})

describe('stateDirectory', () => {
  it.each(['/dev/null', '/dev/null/state'])('says that %s can be no directory', (place) => {
    const surroundings = { env: { RALPH_STATE_DIR: place }, home: scratch() }
    const found = stateDirectory(scratch(), surroundings)
    expect(found).toMatchObject({ ok: false, error: { reason: 'usage' } })
    expect(JSON.stringify(found)).toContain(`${place} cannot be the state directory`)
  })

  it('names the project and tells two of the same name apart, and makes nothing', () => {
    const root = scratch()
    const surroundings = { env: { RALPH_STATE_DIR: join(root, 'state') }, home: made(root, 'home') }
    const directories = ['a', 'b'].map((parent) => stateDirectory(made(root, parent, 'my shop'), surroundings))
    const names = directories.map((directory) => (directory.ok ? basename(directory.value) : ''))
    for (const name of names) expect(name).toMatch(/^my-shop-[0-9a-f]{16}$/)
    expect(names[0]).not.toBe(names[1])
    expect(readdirSync(root).sort()).toEqual(['a', 'b', 'home'])
  })

  it('is the same by whatever path the project is reached', () => {
    const root = scratch()
    const surroundings = { env: { RALPH_STATE_DIR: join(root, 'state') }, home: made(root, 'home') }
    const project = made(root, 'project')
    symlinkSync(project, join(root, 'link'))
    const direct = stateDirectory(project, surroundings)
    expect(direct.ok).toBe(true)
    expect(stateDirectory(join(root, 'link'), surroundings)).toEqual(direct)
    expect(stateDirectory(`${project}/../project/`, surroundings)).toEqual(direct)
  })

  it.each(['日本語', '...', '-', 'a'.repeat(250), 'x\n\u{202e}y'])('takes a project named %j', (name) => {
    const root = scratch()
    const project = made(root, name)
    const directory = stateDirectory(project, {
      env: { RALPH_STATE_DIR: join(root, 'state') },
      home: made(root, 'home'),
    })
    expect(directory.ok && basename(directory.value)).toMatch(/^[A-Za-z0-9_-]{1,40}-[0-9a-f]{16}$/)
  })

  const refused: readonly [string, (root: string) => [project: string, state: string], string][] = [
    [
      '110 home-as-project-refused: the home directory',
      (root) => [join(root, 'home'), join(root, 'state')],
      'it is your home directory',
    ],
    ['the root of the file system', (root) => ['/', join(root, 'state')], 'it is the root of the file system'],
    [
      'one that holds the state directory',
      (root) => [made(root, 'p'), join(root, 'p/.state/ralph')],
      'it contains the state directory',
    ],
    [
      'one that is the state directory',
      (root) => [made(root, 'p'), join(root, 'p')],
      'it contains the state directory',
    ],
    [
      'one in the state directory',
      (root) => [made(root, 'state/p'), join(root, 'state')],
      'it lies in the state directory',
    ],
    [
      'one that holds the state directory by a link',
      (root) => {
        made(root, 'p/hidden')
        symlinkSync(join(root, 'p/hidden'), join(root, 'state'))
        return [join(root, 'p'), join(root, 'state/not/yet/made')]
      },
      'it contains the state directory',
    ],
    [
      'a link to the home directory',
      (root) => {
        symlinkSync(join(root, 'home'), join(root, 'p'))
        return [join(root, 'p'), join(root, 'state')]
      },
      'it is your home directory',
    ],
  ]

  it.each(refused)('refuses %s', (_, arrange, why) => {
    const root = scratch()
    const home = made(root, 'home')
    const [project, state] = arrange(root)
    expect(stateDirectory(project, { env: { RALPH_STATE_DIR: state }, home })).toMatchObject({
      ok: false,
      error: { reason: 'unsafe-project', path: realpathSync(project), why: expect.stringContaining(why) as string },
    })
  })

  it('takes a project whose name only begins like the state directory', () => {
    const root = scratch()
    const home = made(root, 'home')
    const found = stateDirectory(made(root, 'state-of-the-art'), {
      env: { RALPH_STATE_DIR: join(root, 'state') },
      home,
    })
    expect(found.ok).toBe(true)
    expect(stateDirectory(made(root, 'x'), { env: { RALPH_STATE_DIR: made(root, 'x..') }, home }).ok).toBe(true)
  })

  it('fails with its code when there is no such project', () => {
    const root = scratch()
    const found = stateDirectory(join(root, 'nothing'), { env: {}, home: made(root, 'home') })
    expect(found).toMatchObject({ ok: false, error: { reason: 'storage', code: 'ENOENT' } })
  })
})
