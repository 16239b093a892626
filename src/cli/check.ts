import { basename } from 'node:path'
import { ok, type Result } from '../base/result.ts'
import { unreachable } from '../base/unreachable.ts'
import { visibleJson, visibleLine } from '../base/visible.ts'
import type { Failure } from '../model/failure.ts'
import type { TaskList } from '../model/story.ts'
import { resolveOptions } from '../settings/resolve-options.ts'
import type { RunOptions } from '../settings/run-options.ts'
import { readSmall } from '../store/read-small.ts'
import type { Advice } from '../tasks/advice.ts'
import { advisePrd } from '../tasks/advise-prd.ts'
import { advise } from '../tasks/advise.ts'
import { iterationsNeeded } from '../tasks/iterations-needed.ts'
import { isDone, selectStory, type Next } from '../tasks/select-story.ts'
import type { ExitCode, Input, RunCommand } from './command.ts'
import { loadSettings } from './load-settings.ts'
import { openProject, type Project } from './project.ts'
import { readStartList, type StartList } from './start-list.ts'
import { loopFile, today } from './templates.ts'

/** Validates what a loop would start from, and says what would make it better. */
export const check: RunCommand = (input) => Promise.resolve(checkLoop(input))

function checkLoop(input: Input): Result<ExitCode, Failure> {
  const { options, cwd, env, output } = input
  const isJson = options['json'] === true
  const project = openProject({ cwd, env, projectDir: options['projectDir'], ralphDir: options['ralphDir'] })
  if (!project.ok) return project
  const read = readStartList(project.value, { skipReview: false })
  if (!read.ok) {
    const { error } = read
    if (isJson && error.reason === 'invalid-tasks') output.line(json({ valid: false, problems: error.problems }))
    return read
  }
  const settings = settingsOf(project.value, input)
  if (!settings.ok) return settings
  const advice = adviceFor(project.value, read.value.list, settings.value)
  if (isJson) output.line(json(forPrograms(read.value, advice)))
  else for (const line of forPeople(read.value, advice)) output.line(line)
  return ok(0)
}

function settingsOf({ root, ralphDir }: Project, { cwd, env }: Input): Result<RunOptions, Failure> {
  const found = loadSettings(root, { cwd })
  if (!found.ok) return found
  const resolved = resolveOptions({ flags: {}, args: [], env, ralphDir, ...found.value })
  return resolved.ok ? ok(resolved.value.options) : resolved
}

function adviceFor({ root, ralphDir }: Project, list: TaskList, options: RunOptions): Advice[] {
  const path = `${ralphDir}/prd.md`
  const requirements = readSmall(root, path)
  const template = loopFile('prd.md', { project: basename(root), date: today(), branch: null })
  const { maxIterations, skipReview, checks } = options
  return [
    ...(requirements.kind === 'text'
      ? advisePrd(requirements.text, { template: template.ok ? template.value : '', path })
      : []),
    ...advise(list, { maxIterations, skipReview, hasChecks: checks.length > 0, isFresh: isFresh(root, ralphDir) }),
  ]
}

/** No iteration ends without an entry in the log, so an empty one tells that none has run. */
function isFresh(root: string, ralphDir: string): boolean {
  const log = readSmall(root, `${ralphDir}/progress.txt`)
  return log.kind === 'text' && /\n---\s*$/.test(log.text)
}

const json = (value: object): string => visibleJson(JSON.stringify(value, null, 2))

function forPrograms({ list, toReview }: StartList, advice: readonly Advice[]): object {
  return {
    valid: true,
    project: list.project,
    branchName: list.branchName,
    stories: list.userStories.length,
    approved: approvedIn(list),
    iterationsNeeded: iterationsNeeded(list.userStories, false),
    next: describeNext(selectStory(list, { skipReview: false })),
    toReview,
    advice,
  }
}

/** So many are read; who has more to do begins with these. */
const maxLines = 40

function forPeople({ list, toReview }: StartList, advice: readonly Advice[]): string[] {
  const shown = advice.slice(0, maxLines)
  const more = advice.length - shown.length
  return [
    summary(list),
    ...toReview.map((id) => `Story ${id} passed without review; a run will review it.`),
    ...shown.map(({ story, what, fix }) => `To improve: ${story === null ? '' : `Story ${story} `}${what} ${fix}`),
    ...(more > 0 ? [`And ${more} more to improve: "ralph check --json" has all of it.`] : []),
  ]
}

const approvedIn = (list: TaskList): number => list.userStories.filter((story) => isDone(story, false)).length

function summary(list: TaskList): string {
  const stories = list.userStories.length === 1 ? '1 story' : `${list.userStories.length} stories`
  const next = describeNext(selectStory(list, { skipReview: false }))
  return `${visibleLine(list.project, 60)}: ${stories}, ${approvedIn(list)} approved, on ${list.branchName}. ${next}`
}

function describeNext(next: Next): string {
  switch (next.kind) {
    case 'iterate':
      return `Next: ${next.mode} ${next.story.id} (${visibleLine(next.story.title, 80)}).`
    case 'done':
      return 'Everything is approved.'
    case 'waiting':
      return `Waiting for a person: ${next.reasons.join('; ')}.`
    default:
      return unreachable(next)
  }
}
