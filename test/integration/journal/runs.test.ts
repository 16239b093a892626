import { existsSync, mkdirSync, readdirSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isRunId } from '../../../src/base/ids.ts'
import { prepareProject, projectPaths, runPaths, type ProjectPaths } from '../../../src/journal/project-state.ts'
import { createRun, lastRun, listRuns, pruneRuns } from '../../../src/journal/runs.ts'
import { scratch } from '../../support/scratch.ts'

const at = (time: number): { now: () => number; elapsed: () => number } => ({ now: () => time, elapsed: () => 0 })

function prepared(): ProjectPaths {
  const project = projectPaths(join(scratch(), 'state', 'shop-0123456789abcdef'))
  expect(prepareProject(project)).toEqual({ ok: true, value: undefined })
  return project
}

function create(project: ProjectPaths, time: number): string {
  const created = createRun(project, at(time))
  if (!created.ok) throw new Error(JSON.stringify(created.error))
  return created.value
}

describe('the directories of a project and of a run', () => {
  it('are for their owner only', () => {
    const project = prepared()
    const run = runPaths(project, create(project, 0))
    for (const path of [project.directory, project.runs, run.directory]) expect(statSync(path).mode & 0o777).toBe(0o700)
  })

  it('have the places that the contract promises', () => {
    const project = projectPaths('/state/p')
    expect(project).toMatchObject({ lock: '/state/p/lock', control: '/state/p/control' })
    expect(runPaths(project, 'ID').journal).toBe('/state/p/runs/ID/journal.ndjson')
  })
})

describe('runs', () => {
  it('are listed from the oldest to the last', () => {
    const project = prepared()
    const ids = [3000, 5000, 9000].map((time) => create(project, time))
    expect(ids.every((id) => isRunId(id))).toBe(true)
    expect(listRuns(project)).toEqual({ ok: true, value: ids })
    expect(lastRun(project)).toEqual({ ok: true, value: ids[2] })
  })

  it('are none before the first', () => {
    expect(lastRun(projectPaths(join(scratch(), 'nothing')))).toEqual({ ok: true, value: null })
  })

  it('come after all others even in the same second or with a clock that was set back', () => {
    const project = prepared()
    const ids = [1e12, 1e12, 1e12, 0, 5e11].map((time) => create(project, time))
    expect(ids.toSorted()).toEqual(ids)
    expect(new Set(ids).size).toBe(5)
  })

  it('begin although something is named for a time that cannot be', () => {
    const project = prepared()
    mkdirSync(join(project.runs, '99999999-999999-00000000'))
    expect(lastRun(project)).toEqual({ ok: true, value: null })
    expect(isRunId(create(project, 0))).toBe(true)
  })

  it('are only directories named like one', () => {
    const project = prepared()
    const id = create(project, 0)
    mkdirSync(join(project.runs, 'notes'))
    writeFileSync(join(project.runs, '20300101-000000-00000000'), '')
    symlinkSync('/', join(project.runs, '20310101-000000-00000000'))
    expect(listRuns(project)).toEqual({ ok: true, value: [id] })
  })

  it('are not looked for behind a link', () => {
    const project = prepared()
    renameSync(project.runs, `${project.runs}-elsewhere`)
    symlinkSync(`${project.runs}-elsewhere`, project.runs)
    expect(listRuns(project)).toMatchObject({ ok: false, error: { reason: 'unsafe-file', why: 'it is a link' } })
    expect(prepareProject(project).ok).toBe(false)
  })
})

describe('pruneRuns', () => {
  it('keeps the last 20', () => {
    const project = prepared()
    const ids = Array.from({ length: 23 }, (_, index) => create(project, index * 1000))
    expect(pruneRuns(project, ids[22] ?? '')).toEqual({ ok: true, value: ids.slice(0, 3) })
    expect(listRuns(project)).toEqual({ ok: true, value: ids.slice(3) })
    expect(pruneRuns(project, ids[22] ?? '')).toEqual({ ok: true, value: [] })
  })

  it('never deletes the run in use, however old it is', () => {
    const project = prepared()
    const ids = Array.from({ length: 5 }, (_, index) => create(project, index * 1000))
    expect(pruneRuns(project, ids[0] ?? '', 2)).toEqual({ ok: true, value: [ids[1], ids[2]] })
    expect(existsSync(join(project.runs, ids[0] ?? ''))).toBe(true)
  })

  it('63 run-id-traversal: deletes only what is named like a run, and nothing that a link points to', () => {
    const project = prepared()
    const outside = scratch()
    writeFileSync(join(outside, 'keep'), 'mine')
    const [old = '', last = ''] = [0, 1000].map((time) => create(project, time))
    symlinkSync(outside, join(project.runs, old, 'link'))
    symlinkSync(outside, join(project.runs, '19000101-000000-00000000'))
    mkdirSync(join(project.runs, '..foreign'))
    expect(pruneRuns(project, last, 1)).toEqual({ ok: true, value: [old] })
    expect(readdirSync(outside)).toEqual(['keep'])
    expect(readdirSync(project.runs).sort()).toEqual(['..foreign', '19000101-000000-00000000', last].sort())
  })
})
