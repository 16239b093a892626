import { openReferee } from '../../../src/git/open-referee.ts'
import { value } from '../repositories.ts'

/** What the runner does after an agent, in a process of its own that can be killed: put back, then commit or repair. */
async function main(): Promise<void> {
  const [project = '', stateDir = '', git = '', runId = '', commit = '', tree = ''] = process.argv.slice(2)
  const base = { commit, tree }
  const referee = value(await openReferee({ project, stateDir, git, runId, environment: process.env, ignore: [] }))
  const look = async () => value(await referee.observe({ iteration: 1, base, locksSince: 0 }))
  const { changes } = await look()
  const illegal = changes.map(({ path }) => path).filter((path) => path === 'prd.md')
  value(await referee.restore(tree, illegal))
  const view = await look()
  if (view.branch !== 'main' || !view.baseIsAncestor) {
    value(await referee.repairHistory({ iteration: 1, base, branch: 'main', view, message: 'put back' }))
    return
  }
  const left = value(await referee.commitLeftOver({ view, iteration: 1 }))
  if (left.kind === 'committed')
    value(await referee.deliver({ commit: left.commit, branch: 'main', expected: view.head ?? '' }))
}

void main()
