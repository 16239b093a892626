import { describe, expect, it } from 'vitest'
import type { Site } from '../../../../src/isolation/isolation.ts'
import { outerGitDirs, unmountable, workspacesOf } from '../../../../src/isolation/vm/workspaces.ts'

const site = {
  project: '/p',
  gitDirs: ['/p/.git'],
  given: '/s/1/box/given',
  homes: '/s/1/box/homes',
  pluginDir: '/opt/ralph',
} as unknown as Site

describe('what a box sees', () => {
  it('is the project first; the plugin and what is given only to read; the login where the program keeps none', () => {
    expect(workspacesOf(site, { keepsLogin: false })).toEqual([
      '/p',
      '/opt/ralph:ro',
      '/s/1/box/given:ro',
      '/s/1/box/homes',
    ])
    expect(workspacesOf({ ...site, pluginDir: null }, { keepsLogin: true })).toEqual([
      '/p',
      '/s/1/box/given:ro',
      '/s/1/box/homes',
      '/s/1/box/auth',
    ])
  })

  it('is the history of a linked work tree too, once', () => {
    const linked = { ...site, gitDirs: ['/main/.git/worktrees/p', '/main/.git'] }
    expect(outerGitDirs(linked)).toEqual(['/main/.git'])
    expect(workspacesOf(linked, { keepsLogin: false }).at(-1)).toBe('/main/.git')
  })

  it('is not a directory whose name would be read as an option', () => {
    expect(unmountable(['/p', '/q:ro'])).toBeNull()
    expect(unmountable(['/p:ro:ro'])).toBe('/p:ro:ro')
    expect(unmountable(['/p:rw'])).toBe('/p:rw')
  })
})
