import { ok, type Result } from '../base/result.ts'
import { visibleJson } from '../base/visible.ts'
import { lookAtProject } from '../journal/look-at-project.ts'
import type { Failure } from '../model/failure.ts'
import type { RunState } from '../model/run-state.ts'
import { thisHost } from '../store/host.ts'
import { readSmall } from '../store/read-small.ts'
import { isUntouched } from '../tasks/is-untouched.ts'
import { parseList, readTasks } from '../tasks/read-tasks.ts'
import type { ExitCode, Input, RunCommand } from './command.ts'
import { countStories, type StoryCounts } from './count-stories.ts'
import { describeStatus } from './describe-status.ts'
import { openProject, type Project } from './project.ts'
import { statusOf } from './status-of.ts'

/** What runs here, how far it is, what it cost. Only looks, so it may be called at any time. */
export const status: RunCommand = (input) => Promise.resolve(showStatus(input))

function showStatus({ options, cwd, env, output }: Input): Result<ExitCode, Failure> {
  const input = { cwd, env, projectDir: options['projectDir'] }
  const project = openProject({ ...input, ralphDir: options['ralphDir'] })
  if (!project.ok) return project
  const look = lookAtProject(project.value.state, thisHost())
  if (!look.ok) return look
  const { run } = look.value
  // Without the option it is the directory that the run was given.
  const own = openProject({ ...input, ralphDir: options['ralphDir'] ?? textOrNothing(run?.options['ralphDir']) })
  const seen = own.ok ? storiesOn(own.value, run) : null
  const isTemplate = seen === 'template'
  const found = statusOf(look.value, isTemplate ? null : seen)
  if (options['json'] === true) {
    output.line(visibleJson(JSON.stringify(found, null, 2)))
    return ok(0)
  }
  const position = { root: project.value.root, nowMs: Date.now(), isTemplate }
  for (const line of describeStatus(found, look.value, position)) output.line(line)
  return ok(0)
}

/** The list as it is on the disk, in the middle of an agent's work too; null if there is none to be read. */
function storiesOn({ root, ralphDir }: Project, run: RunState | null): StoryCounts | 'template' | null {
  if (run !== null && run.workflow !== 'stories') return null
  const seen = readSmall(root, `${ralphDir}/tasks.json`)
  const raw = seen.kind === 'text' ? parseList(seen.text) : null
  if (raw?.ok === true && isUntouched(raw.value)) return 'template'
  const list = seen.kind === 'text' ? readTasks(seen.text) : null
  return list?.ok === true ? countStories(list.value.userStories, run?.options['skipReview'] === true) : null
}

const textOrNothing = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
