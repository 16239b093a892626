import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { bundleProgram } from '../support/bundle-program.ts'
import { gitProgram, Lab, runId } from '../support/repositories.ts'
import { hasStrace, runWithFault, straceReason } from '../support/strace.ts'

const scenarios: Record<string, (lab: Lab) => void> = {
  'left uncommitted': () => undefined,
  'history rewritten on another branch': (lab) => {
    lab.git('switch', '-q', '-c', 'elsewhere')
    lab.git('commit', '-q', '--amend', '-m', 'rewritten')
  },
}
const faults = [
  ['rename', 'signal=KILL'],
  ['unlink', 'signal=KILL'],
  ['rename', 'error=ENOSPC'],
  ['fsync', 'error=EIO'],
] as const
const cases = Object.keys(scenarios).flatMap((name) => faults.map(([calls, what]) => [name, calls, what] as const))

/** Whatever moment the runner dies in, doing the same again brings everything home, and the user's git sees it so. */
it.skipIf(!hasStrace).each(cases)(`%s: %s, %s${straceReason}`, { timeout: 600_000 }, async (name, calls, what) => {
  for (let nth = 1, finished = false; !finished; nth++) {
    const lab = new Lab()
    const program = bundleProgram('referee-step', lab.root)
    lab.start({ 'README.md': 'hello\n', 'prd.md': 'wanted\n', 'gone.txt': 'gone\n' })
    const { base } = await lab.begin({ ignore: [] })
    scenarios[name]?.(lab)
    lab.write('new.txt', 'new\n')
    lab.write('README.md', 'changed\n')
    lab.write('prd.md', 'nothing is wanted\n')
    rmSync(`${lab.project}/gone.txt`)
    const args = [lab.project, lab.stateDir, gitProgram, runId, base.commit, base.tree]
    finished = runWithFault(program, args, { calls, what, when: String(nth) }).status === 0
    const again = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', env: lab.environment })
    expect(again.stderr, `after ${calls} ${nth}`).toBe('')
    expect(lab.git('status', '--porcelain', '-b'), `after ${calls} ${nth}`).toBe('## main\n')
    expect(lab.git('ls-tree', '-r', '--name-only', 'HEAD')).toBe('README.md\nnew.txt\nprd.md\n')
    expect(lab.git('show', 'HEAD:README.md', 'HEAD:prd.md')).toBe('changed\nwanted\n')
    expect(lab.git('merge-base', 'HEAD', base.commit).trim()).toBe(base.commit)
    expect(readdirSync(lab.project).sort()).toEqual(['.git', 'README.md', 'new.txt', 'prd.md'])
    expect(readdirSync(`${lab.stateDir}/scratch`)).toEqual([])
    lab.git('fsck')
    lab.remove()
  }
})
