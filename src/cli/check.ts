import { join } from 'node:path'
import { err, ok } from '../base/result.ts'
import { unreachable } from '../base/unreachable.ts'
import { visibleLine } from '../base/visible.ts'
import type { SeenFile } from '../model/observation.ts'
import type { TaskList } from '../model/story.ts'
import { readSmall } from '../store/read-small.ts'
import { advise, isUntouched } from '../tasks/advise.ts'
import { brokenInvariants } from '../tasks/invariants.ts'
import { parseList, readTasks } from '../tasks/read-tasks.ts'
import { requireReview } from '../tasks/runner-moves.ts'
import { isDone, selectStory, type Next } from '../tasks/select-story.ts'
import type { RunCommand } from './command.ts'
import { openProject } from './project.ts'

/** Validates what a loop would start from: the requirements are there, the list is valid, and somebody can go on. */
export const check: RunCommand = ({ options, cwd, env, output }) => {
  const project = openProject({ cwd, env, projectDir: options['projectDir'], ralphDir: options['ralphDir'] })
  if (!project.ok) return done(project)
  const { root, ralphDir } = project.value
  const path = (name: string) => join(ralphDir, name)
  const requirements = readSmall(root, path('prd.md'))
  if (requirements.kind !== 'text') return done(err(trouble(requirements, path('prd.md'))))
  const tasks = readSmall(root, path('tasks.json'))
  if (tasks.kind !== 'text') return done(err(trouble(tasks, path('tasks.json'))))

  const document = parseList(tasks.text)
  if (document.ok && isUntouched(document.value)) {
    const problems = ['No story is written yet: run /ralph-plan or edit the list by hand.']
    return done(err({ reason: 'invalid-tasks', path: path('tasks.json'), problems }))
  }
  const read = readTasks(tasks.text)
  // A story that passed in a run without review is not wrong: a run that reviews takes it up first.
  const start = read.ok ? requireReview(read.value) : null
  const problems = start === null ? (read.ok ? [] : read.error) : brokenInvariants(start.list, { skipReview: false })
  if (start === null || problems.length > 0) {
    return done(
      err({ reason: 'invalid-tasks', path: path('tasks.json'), problems: problems.map(({ message }) => message) }),
    )
  }
  output.line(summary(start.list))
  for (const id of start.moved) output.line(`Story ${id} passed without review; a run will review it.`)
  for (const advice of advise(start.list)) output.line(`To improve: ${advice}`)
  return done(ok(0))
}

const done: typeof Promise.resolve<Awaited<ReturnType<RunCommand>>> = (result) => Promise.resolve(result)

function trouble(seen: Exclude<SeenFile, { kind: 'text' }>, path: string) {
  return seen.kind === 'missing'
    ? {
        reason: 'missing-file' as const,
        path,
        fix: 'Write it as the README shows ("The task list"), or give --project-dir.',
      }
    : { reason: 'unsafe-file' as const, path, why: seen.why }
}

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
