import { basename } from 'node:path'
import { ok } from '../base/result.ts'
import { unreachable } from '../base/unreachable.ts'
import { visibleLine } from '../base/visible.ts'
import type { TaskList } from '../model/story.ts'
import { readSmall } from '../store/read-small.ts'
import { advise } from '../tasks/advise.ts'
import { isDone, selectStory, type Next } from '../tasks/select-story.ts'
import type { RunCommand } from './command.ts'
import { openProject, type Project } from './project.ts'
import { readStartList } from './start-list.ts'
import { loopFile, today } from './templates.ts'

/** Validates what a loop would start from: the requirements are there, the list is valid, and somebody can go on. */
export const check: RunCommand = ({ options, cwd, env, output }) => {
  const project = openProject({ cwd, env, projectDir: options['projectDir'], ralphDir: options['ralphDir'] })
  if (!project.ok) return done(project)
  const read = readStartList(project.value, { skipReview: false })
  if (!read.ok) return done(read)
  const { list, toReview } = read.value
  output.line(summary(list))
  for (const id of toReview) output.line(`Story ${id} passed without review; a run will review it.`)
  const { ralphDir } = project.value
  const isUnwritten = isPrdTemplate(project.value)
  const advice = [
    ...(isUnwritten
      ? [`${ralphDir}/prd.md is still the template: say there what is wanted, for agents and reviewers.`]
      : []),
    ...advise(list),
  ]
  for (const text of advice) output.line(`To improve: ${text}`)
  return done(ok(0))
}

function isPrdTemplate({ root, ralphDir }: Project): boolean {
  const seen = readSmall(root, `${ralphDir}/prd.md`)
  const template = loopFile('prd.md', { project: basename(root), date: today(), branch: null })
  return seen.kind === 'text' && template.ok && seen.text === template.value
}

const done: typeof Promise.resolve<Awaited<ReturnType<RunCommand>>> = (result) => Promise.resolve(result)

function summary(list: TaskList): string {
  const finished = list.userStories.filter((story) => isDone(story, false)).length
  const stories = list.userStories.length === 1 ? '1 story' : `${list.userStories.length} stories`
  return `${visibleLine(list.project, 60)}: ${stories}, ${finished} approved, on ${list.branchName}. ${next(selectStory(list, { skipReview: false }))}`
}

function next(next: Next): string {
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
