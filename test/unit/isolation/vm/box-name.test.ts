import { describe, expect, it } from 'vitest'
import { boxName, boxPrefix } from '../../../../src/isolation/vm/box-name.ts'

const making = { template: 'claude', workspaces: ['/p'], hosts: ['a.example'], setup: 1 }

describe('boxName', () => {
  it.each([
    '/home/me/project',
    '/home/me/my.project_2',
    '/Users/Jörg/Über uns',
    '/-',
    '/home/me/日本語',
    `/home/me/${'x'.repeat(200)}`,
    '/a/default',
    '/a/--rm -rf',
  ])('is one that both programs take: %s', (project) => {
    const name = boxName(project, { ...making, template: 'docker-agent' })
    expect(name).toMatch(/^[A-Za-z0-9][A-Za-z0-9-]{1,62}$/)
    expect(name.length).toBeLessThanOrEqual(61)
    expect(name.startsWith(boxPrefix(project))).toBe(true)
  })

  it('is the same one the next time', () => {
    expect(boxName('/home/me/project', making)).toBe(boxName('/home/me/project', { ...making }))
    expect(boxName('/home/me/project', making)).toMatch(/^ralph-project-[0-9a-f]{12}-claude-[0-9a-f]{8}$/)
  })

  it.each([
    ['another template', { ...making, template: 'codex' }],
    ['other workspaces', { ...making, workspaces: ['/p', '/q:ro'] }],
    ['other hosts', { ...making, hosts: ['b.example'] }],
    ['any host', { ...making, hosts: null }],
    ['another setup', { ...making, setup: 2 }],
  ])('is another one for %s, and still of this project', (_, other) => {
    const name = boxName('/home/me/project', other)
    expect(name).not.toBe(boxName('/home/me/project', making))
    expect(name.startsWith(boxPrefix('/home/me/project'))).toBe(true)
  })

  it('is never that of a project of the same name', () => {
    expect(boxName('/home/me/project', making).startsWith(boxPrefix('/home/you/project'))).toBe(false)
    expect(boxName('/home/me/project-2', making).startsWith(boxPrefix('/home/me/project'))).toBe(false)
  })
})
