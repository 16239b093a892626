import { execFileSync } from 'node:child_process'
import { chmodSync, lstatSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Lab, value } from '../support/repositories.ts'

/** The same numbers for the same seed, so that a failure can be had again. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff
    return (state >> 8) % sides
  }
}

const names = 'README.md d d/a d/b e e/f e/f/g new x.log e/y.log .gitignore d/.gitignore d/c/deep odd\nname'.split(' ')
const seeds = process.env['RALPH_SEED'] === undefined ? [1, 2, 3, 4, 5] : [Number(process.env['RALPH_SEED'])]
const watch = ['x.log', 'e/y.log']

/** What an agent does to a project in no order: honest work, accidents, attacks. Any of it may fail. */
function disturb(lab: Lab, roll: (sides: number) => number): void {
  const name = names[roll(names.length)] ?? ''
  const path = join(lab.project, name)
  const clear = (): void => rmSync(path, { recursive: true, force: true })
  const acts: (() => unknown)[] = [
    () => {
      if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) clear()
      lab.write(name, `${roll(1000)}\n`)
    },
    clear,
    () => [clear(), mkdirSync(path, { recursive: true })],
    () => [clear(), symlinkSync(['d', '/etc', 'nowhere', '..'][roll(4)] ?? '', path)],
    () => name.endsWith('.gitignore') || [clear(), execFileSync('mkfifo', [path], { stdio: 'pipe' })],
    () => chmodSync(path, roll(2) === 0 ? 0o755 : 0o644),
    () => lab.commit(),
    () => [lab.git('add', '-f', '-A'), lab.git('commit', '-q', '-m', 'all')],
    () => lab.git('reset', '-q', '--hard'),
    () => lab.git('reset', '-q', '--hard', 'HEAD~1'),
    () => lab.git('commit', '-q', '--amend', '-m', 'rewritten'),
    () => lab.git('checkout', '-q', '--detach'),
    () => lab.git('switch', '-q', '-C', 'other'),
    () => lab.git('branch', '-D', 'main'),
    () => lab.git('config', 'core.fsmonitor', `'${lab.trap()}'`),
    () => lab.write('.git/hooks/pre-commit', 'exit 1', 0o755),
    () => lab.git('gc', '-q'),
    () => lab.git('stash', '-u'),
    () => lab.git('merge', 'other'),
    () => lab.git('rm', '-rq', '--cached', name),
    () => lab.write('.git/index.lock', ''),
  ]
  try {
    acts[roll(acts.length)]?.()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error) && !(error instanceof Error && 'status' in error)) throw error
  }
}

it.each(seeds)('60 disturbed iterations, seed %i', { timeout: 600_000 }, async (seed) => {
  const lab = new Lab('p q')
  const roll = dice(seed)
  lab.start({ 'README.md': 'hello\n', 'd/a': 'a\n', 'd/b': 'b\n', 'e/f/g': 'g\n', '.gitignore': '*.log\n' })
  const { referee, base: start } = await lab.begin({}, { watch })
  let base = start
  for (let iteration = 2; iteration < 62; iteration++) {
    for (let acts = 1 + roll(4); acts > 0; acts--) disturb(lab, roll)
    lab.sprang()
    const look = async (thorough = false): ReturnType<typeof referee.observe> =>
      referee.observe({ iteration, base, watch, locksSince: 0, thorough })
    const quick = value(await look())
    let view = value(await look(true))
    expect([quick.tree, quick.uncommitted], 'a quick look sees what a thorough one sees').toEqual([
      view.tree,
      view.uncommitted,
    ])
    if (view.branch !== 'main' || !view.baseIsAncestor) {
      const { tree } = view
      value(await referee.repairHistory({ iteration, base, branch: 'main', view, message: 'put back' }))
      view = value(await look())
      expect(view, 'a repaired history has the same files').toMatchObject({
        branch: 'main',
        baseIsAncestor: true,
        tree,
      })
    }
    if (roll(2) === 0) {
      const paths = view.changes.filter(() => roll(2) === 0).map(({ path }) => path)
      value(await referee.restore(base.tree, paths))
      view = value(await look())
    }
    const left = value(await referee.commitLeftOver({ view, iteration }))
    if (left.kind === 'committed') {
      value(await referee.deliver({ commit: left.commit, branch: 'main', expected: view.head ?? '' }))
    }
    const last = value(await look())
    expect(last.uncommitted).toEqual([])
    expect(lab.sprang(), 'something planted has run').toBe(false)
    base = { commit: last.head ?? '', tree: last.tree }
  }
  lab.git('fsck', '--connectivity-only')
  lab.remove()
})
