import type { Observation } from '../../src/model/observation.ts'
import type { IterationMode, TaskList } from '../../src/model/story.ts'
import { readSmall } from '../../src/store/read-small.ts'
import { writeInside } from '../../src/store/write-inside.ts'
import { judge, repair, type Repair } from '../../src/tasks/judge.ts'
import type { Verdict } from '../../src/tasks/judge-turn.ts'
import { allCommands, protectedBy } from '../../src/tasks/protected-files.ts'
import { protectionIn } from '../../src/tasks/protection.ts'
import { readTasks } from '../../src/tasks/read-tasks.ts'
import type { Rules } from '../../src/tasks/rules.ts'
import { steeringPaths } from '../../src/model/steering-paths.ts'
import { takeSnapshot } from '../../src/tasks/take-snapshot.ts'
import { value, type Lab } from './repositories.ts'

const watched = ['.ralph/settings.json', '.ralph/settings.local.json', ...steeringPaths]

export interface Judged extends Verdict {
  readonly repair: Repair
  /** After everything was put back and committed. */
  readonly again: Verdict
}

/** One iteration through all parts below the loop, in the order of DESIGN.md: snapshot, agent, observe, judge, repair, commit, deliver. */
export async function oneIteration(
  lab: Lab,
  mode: IterationMode,
  agent: () => void | Promise<void>,
  over: Partial<Rules> = {},
): Promise<Judged> {
  const read = (path: string) => readSmall(lab.project, path)
  const begun = await lab.begin({}, { watch: watched })
  const { referee, base, look } = begun
  const branch = begun.view.branch ?? ''
  const before = takeSnapshot(listIn(lab), branch)
  const packageJson = read('package.json')
  const tracked = new Set(value(await referee.listFiles(base.tree)))
  const commands = before.list === null ? [] : allCommands(before.list)
  const checks = protectedBy(commands, tracked, packageJson.kind === 'text' ? packageJson.text : null)
  const rules: Rules = {
    skipReview: false,
    reviewCap: 5,
    story: 'A',
    agentSucceeded: true,
    ralphDir: 'ralph',
    ...protectionIn(before.list ?? listIn(lab), over.story ?? 'A', checks),
    ...over,
  }

  await agent()

  const observe = async () => {
    const view = await look({ locksSince: 0 })
    const now: Observation = {
      tasks: read('ralph/tasks.json'),
      changes: view.changes,
      packageJson: read('package.json'),
      branch: view.branch,
      baseIsAncestor: view.baseIsAncestor,
      uncommitted: view.uncommitted,
      nestedRepositories: view.nestedRepositories,
      gitDirectory: view.gitDirectory.filter((finding) => !finding.goodFaith).map((finding) => finding.line),
    }
    return { view, now }
  }
  const first = await observe()
  const verdict = judge(before, first.now, mode, rules)
  const fix = repair(before, first.now, mode, rules)
  value(await referee.restore(base.tree, fix.files.restore))
  if (fix.tasks !== null) value(writeInside(lab.project, 'ralph/tasks.json', Buffer.from(fix.tasks)))
  if (fix.packageJson !== null) value(writeInside(lab.project, 'package.json', Buffer.from(fix.packageJson)))
  const { view } = await observe()
  if (fix.files.history) {
    value(await referee.repairHistory({ iteration: 1, base, branch, view, message: 'Put the history back' }))
  } else {
    const left = value(await referee.commitLeftOver({ view, iteration: 1 }))
    if (left.kind === 'committed') {
      value(await referee.deliver({ commit: left.commit, branch, expected: view.head ?? '' }))
    }
  }
  return { ...verdict, repair: fix, again: judge(before, (await observe()).now, mode, rules) }
}

export function listIn(lab: Lab): TaskList {
  const file = readSmall(lab.project, 'ralph/tasks.json')
  return value(readTasks(file.kind === 'text' ? file.text : ''))
}
