import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { gitGuards } from '../../../src/isolation/os/git-guards.ts'
import { areInPlace, placeStandIns, recordIn, removeStandIns } from '../../../src/isolation/os/stand-ins.ts'
import { Lab, failure, value } from '../../support/repositories.ts'
import { scratch } from '../../support/scratch.ts'
import { diskPrint } from '../../support/disk-print.ts'

describe('what is put into a git directory for a box', () => {
  let git: string
  let record: string
  const standIns = () => gitGuards('/nowhere', [git], []).standIns
  beforeEach(() => {
    const root = scratch()
    git = join(root, '.git')
    record = recordIn(join(root, 'state', 'box', 'given'))
    for (const path of ['hooks', 'info', 'objects/info']) mkdirSync(join(git, path), { recursive: true })
    writeFileSync(join(git, 'config'), '[core]\n')
  })

  it('is only what is missing, and all of it is taken away again', () => {
    const before = diskPrint(git)
    value(placeStandIns(record, standIns()))
    expect(readFileSync(join(git, 'commondir'), 'utf8')).toBe('.\n')
    expect(readFileSync(join(git, 'config'), 'utf8')).toBe('[core]\n')
    expect(existsSync(join(git, 'modules')) && existsSync(join(git, 'objects/info/alternates'))).toBe(true)
    value(removeStandIns(record))
    expect(diskPrint(git)).toEqual(before)
    expect(existsSync(record)).toBe(false)
  })

  it('stays where somebody has filled it, for the referee to see', () => {
    value(placeStandIns(record, standIns()))
    writeFileSync(join(git, 'commondir'), '/elsewhere\n')
    writeFileSync(join(git, 'modules', 'x'), '')
    value(removeStandIns(record))
    expect(readFileSync(join(git, 'commondir'), 'utf8')).toBe('/elsewhere\n')
    expect(existsSync(join(git, 'modules', 'x'))).toBe(true)
    expect(existsSync(join(git, 'worktrees'))).toBe(false)
  })

  it('is nothing that was there before: what nobody noted down is not touched', () => {
    writeFileSync(join(git, 'commondir'), '.\n')
    value(placeStandIns(record, standIns()))
    value(removeStandIns(record))
    expect(existsSync(join(git, 'commondir'))).toBe(true)
    value(removeStandIns(record))
  })

  it('stays while a run in another work tree needs it, whoever made it and whoever ends first', () => {
    const before = diskPrint(git)
    const projects = join(record, '..', '..', '..')
    const other = recordIn(join(projects, 'other', 'box', 'given'))
    writeFileSync(join(projects, 'a file'), '')
    for (const [first, second] of [
      [record, other],
      [other, record],
    ] as const) {
      value(placeStandIns(record, standIns()))
      const made = diskPrint(git)
      value(placeStandIns(other, standIns()))
      value(removeStandIns(first))
      expect(diskPrint(git)).toEqual(made)
      expect(areInPlace(standIns())).toBe(true)
      value(removeStandIns(second))
      expect(diskPrint(git)).toEqual(before)
      expect(areInPlace(standIns())).toBe(false)
    }
  })

  it.each(['', '{', '[{"path":3}]', '[{"path":"/","content":3}]', 'null'])('survives a record that says %j', (text) => {
    mkdirSync(join(record, '..'), { recursive: true })
    writeFileSync(record, text)
    value(removeStandIns(record))
    expect(existsSync(record)).toBe(false)
  })

  it('cannot be put where a link is, which the agent could turn', () => {
    symlinkSync('/nowhere', join(git, 'modules'))
    expect(failure(placeStandIns(record, standIns()))).toMatchObject({ reason: 'isolation-unavailable' })
    expect(existsSync(join(git, 'commondir'))).toBe(false)
  })

  it('is taken by git for nothing at all', () => {
    const lab = new Lab()
    try {
      lab.git('init', '-q')
      lab.git('commit', '-q', '--allow-empty', '-m', 'first')
      const before = [
        lab.git('status'),
        lab.git('log', '--format=%s'),
        lab.git('worktree', 'list'),
        lab.git('branch', '-a'),
      ]
      const [status, log, trees, branches] = before
      value(placeStandIns(record, gitGuards(lab.project, [join(lab.project, '.git')], []).standIns))
      expect([lab.git('status'), lab.git('log', '--format=%s'), lab.git('branch', '-a')]).toEqual([
        status,
        log,
        branches,
      ])
      expect(lab.git('worktree', 'list').split('\n')).toHaveLength(trees?.split('\n').length ?? 0)
      lab.git('commit', '-q', '--allow-empty', '-m', 'second')
      value(removeStandIns(record))
      expect(lab.git('log', '--format=%s')).toBe('second\nfirst\n')
    } finally {
      lab.remove()
    }
  })
})
