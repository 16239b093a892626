import { basename } from 'node:path'
import { err, ok, type Result } from '../base/result.ts'
import { visibleLine } from '../base/visible.ts'
import type { Failure } from '../model/failure.ts'
import type { TaskList } from '../model/story.ts'
import { readSmall } from '../store/read-small.ts'
import { writeInside } from '../store/write-inside.ts'
import { isUntouched } from '../tasks/is-untouched.ts'
import { parseList, readTasks } from '../tasks/read-tasks.ts'
import { isDone } from '../tasks/select-story.ts'
import { archiveDir, freePlace, slugOf } from './archive-name.ts'
import { archiveSummary } from './archive-summary.ts'
import { betweenRuns } from './between-runs.ts'
import type { ExitCode, Input, Output, RunCommand } from './command.ts'
import { openProject, type Project } from './project.ts'
import { refuseInsideLoop } from './refuse-inside-loop.ts'
import { loopFile, today, type LoopFile } from './templates.ts'
import { openUserRepository, type UserRepository } from './user-repository.ts'

/** prompt.md is the project's own and stays. */
const moved: readonly LoopFile[] = ['prd.md', 'tasks.json', 'progress.txt']

/** Files the finished loop away, begins anew from the templates and commits both. */
export const archive: RunCommand = async (input) => {
  const { options, cwd, env } = input
  const allowed = refuseInsideLoop(env)
  if (!allowed.ok) return allowed
  const project = openProject({ cwd, env, projectDir: options['projectDir'], ralphDir: options['ralphDir'] })
  if (!project.ok) return project
  return betweenRuns(project.value, {
    look: () => findLoop(project.value, input),
    act: async (found, run) => {
      const archived = await archiveLoop(project.value, found, input.output)
      const wouldGoOn = run !== null && (run.stopped === null || run.stopped.reason === 'interrupted')
      if (archived.ok && wouldGoOn) {
        input.output.remark(
          'The last run was interrupted and would go on: begin the next loop with "ralph run --fresh".',
        )
      }
      return archived
    },
  })
}

interface Found extends Loop {
  readonly repository: UserRepository
  readonly slug: string
}

/** A loop that can be filed away. */
async function findLoop(project: Project, { options, env }: Input): Promise<Result<Found, Failure>> {
  const repository = await openUserRepository(project.root, env)
  if (!repository.ok) return repository
  const loop = readLoop(project)
  if (!loop.ok) return loop
  const { list } = loop.value
  const finished = ensureFinished(list, options['force'] === true, `${project.ralphDir}/tasks.json`)
  if (!finished.ok) return finished
  const slug = archiveSlug(options['label'], list.ok ? list.value.branchName : 'unreadable')
  return slug.ok ? ok({ ...loop.value, repository: repository.value, slug: slug.value }) : slug
}

async function archiveLoop(
  { root, ralphDir }: Project,
  { texts, list, repository, slug }: Found,
  output: Output,
): Promise<Result<ExitCode, Failure>> {
  const date = today()
  const free = freePlace(root, `${date}-${slug}`)
  if (!free.ok) return free
  const place = free.value

  const summary = archiveSummary({ list: list.ok ? list.value : null, progress: texts.get('progress.txt') ?? '', date })
  const drafts = new Map([...texts].map(([file, text]) => [`${place}/${file}`, text]))
  drafts.set(`${place}/summary.md`, summary)
  const values = { project: basename(root), date, branch: null }
  for (const file of moved) {
    const fresh = loopFile(file, values)
    if (!fresh.ok) return fresh
    drafts.set(`${ralphDir}/${file}`, fresh.value)
  }
  // In the order of the map: everything is in the archive before anything of the loop is replaced.
  for (const [path, text] of drafts) {
    const written = writeInside(root, path, Buffer.from(text), path.startsWith(`${place}/`) ? { as: 'create' } : {})
    if (!written.ok) return written
  }
  output.line(`Archived to ${place}; ${ralphDir}/ begins anew from the templates, its prompt.md is kept.`)
  const paths = [...drafts.keys()]
  const committed = await repository.commit({ paths, message: `ralph: archive ${place}`, as: 'ralph' })
  if (!committed.ok) {
    output.remark(`The archive is there and in no commit yet: git add ${archiveDir} ${ralphDir} && git commit`)
    return committed
  }
  if (committed.value.ignored.length > 0) {
    output.remark(
      `Not committed, because git ignores it: ${committed.value.ignored.map((path) => visibleLine(path)).join(', ')}.`,
    )
  }
  output.line(
    `Next: Write ${ralphDir}/prd.md and ${ralphDir}/tasks.json of the next loop; "ralph check" looks at them.`,
  )
  return ok(0)
}

interface Loop {
  readonly texts: ReadonlyMap<LoopFile, string>
  readonly list: Result<TaskList, readonly string[]>
}

function readLoop({ root, ralphDir }: Project): Result<Loop, Failure> {
  const texts = new Map<LoopFile, string>()
  for (const file of moved) {
    const path = `${ralphDir}/${file}`
    const seen = readSmall(root, path)
    if (seen.kind === 'unreadable') return err({ reason: 'unsafe-file', path, why: seen.why })
    if (seen.kind === 'text') texts.set(file, seen.text)
  }
  const tasks = texts.get('tasks.json')
  if (tasks === undefined) {
    const fix = 'There is no loop to archive here; give --project-dir, or begin one with "ralph init".'
    return err({ reason: 'missing-file', path: `${ralphDir}/tasks.json`, fix })
  }
  const document = parseList(tasks)
  if (document.ok && isUntouched(document.value)) {
    return err({
      reason: 'usage',
      message: `There is nothing to archive: ${ralphDir}/tasks.json is still the template.`,
      fix: 'Write the stories of a loop first: run /ralph-plan or edit it.',
    })
  }
  const read = readTasks(tasks)
  return ok({ texts, list: read.ok ? read : err(read.error.map(({ message }) => message)) })
}

function ensureFinished(list: Loop['list'], force: boolean, path: string): Result<void, Failure> {
  if (force) return ok(undefined)
  if (!list.ok) return err({ reason: 'invalid-tasks', path, problems: list.error })
  const open = list.value.userStories.filter((story) => !isDone(story, true))
  if (open.length === 0) return ok(undefined)
  const stories = open.length === 1 ? '1 story is' : `${open.length} stories are`
  return err({
    reason: 'usage',
    message: `This loop is not finished: ${stories} open (${visibleLine(open.map(({ id }) => id).join(', '), 100)}).`,
    fix: 'Finish it with "ralph run", or archive it as it is: ralph archive --force',
  })
}

/** Of the label, else of the branch. */
function archiveSlug(label: unknown, branch: string): Result<string, Failure> {
  const slug = typeof label === 'string' ? slugOf(label) : (slugOf(branch.replace(/^ralph\//, '')) ?? 'loop')
  if (slug === null) {
    return err({
      reason: 'usage',
      message: `--label "${visibleLine(String(label), 60)}" has no letter or digit that a directory could be named by.`,
      fix: 'Give it a name like --label first-release.',
    })
  }
  return ok(slug)
}
