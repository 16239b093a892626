import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Lab, runId } from '../../support/repositories.ts'

let lab: Lab
beforeEach(() => {
  lab = new Lab()
})
afterEach(() => lab.remove())

it('packs what many fetches leave, loses nothing, and uses no name of a fetch twice', async () => {
  lab.start({ 'README.md': 'hello\n' })
  const begun = await lab.begin()
  const repository = join(lab.stateDir, 'referee.git')
  const git = (...args: string[]): string => lab.gitIn(lab.stateDir, `--git-dir=${repository}`, ...args)
  const objects = (): string[] =>
    git('cat-file', '--batch-check=%(objectname)', '--batch-all-objects').split('\n').filter(Boolean)
  const packs = (): number =>
    readdirSync(join(repository, 'objects/pack')).filter((name) => name.endsWith('.pack')).length

  lab.write('loose.txt', 'in a snapshot and in no commit\n')
  const snapshot = (await begun.look()).tree
  const commits: string[] = []
  let seen: string[] = []
  for (let count = 1; count <= 34; count++) {
    lab.git('commit', '-q', '--allow-empty', '-m', `commit ${count}`)
    commits.push(lab.git('rev-parse', 'HEAD').trim())
    const view = await begun.look()
    expect(view.head).toBe(commits.at(-1))
    if (count === 31) seen = objects()
  }
  expect(packs()).toBeLessThan(6)
  expect(objects()).toEqual(expect.arrayContaining(seen))
  expect(git('cat-file', '-p', `${snapshot}:loose.txt`)).toContain('in no commit')
  const refs = git('for-each-ref', '--format=%(objectname) %(refname)', `refs/ralph/${runId}`).trim().split('\n')
  expect(refs).toHaveLength(35)
  expect(new Set(refs.map((line) => line.split(' ')[0]))).toEqual(new Set([begun.base.commit, ...commits]))
})
