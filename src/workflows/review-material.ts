import { ok } from '../base/result.ts'
import type { Answer } from '../loop/workflow.ts'
import type { RunState } from '../model/run-state.ts'
import type { Story } from '../model/story.ts'
import type { ForeignText, ReviewMaterial } from '../prompt/prompt-input.ts'
import { isInstructionFile, isTestFile, isVerificationSurface } from '../prompt/verification-surface.ts'
import { matcherOf } from '../tasks/pathspec.ts'
import type { StoriesMemory } from './stories-memory.ts'
import type { StoriesPorts } from './stories-ports.ts'

/** The prompt takes no more of one text, and git cuts it between lines. */
const maxDiffBytes = 60_000
/** One command line takes no more, and nobody reads more. */
const maxDiffPaths = 2000

/**
 * What a reviewer judges by: from the referee's repository, the runner's own checks and the requirements of the start. The
 * author's notes, log and messages are not among it.
 */
export async function reviewMaterial(
  ports: StoriesPorts,
  memory: StoriesMemory,
  { story, state, requirements }: { readonly story: Story; readonly state: RunState; readonly requirements: string },
): Answer<ReviewMaterial> {
  const { referee, options } = ports
  const { commit } = memory.base
  const base = state.stories.firstBase.get(story.id) ?? null
  const from = base ?? referee.baseline.commit
  const changes = await referee.changes(from, commit)
  if (!changes.ok) return changes
  const ofTheLoop = new Set([`${options.ralphDir}/tasks.json`, `${options.ralphDir}/progress.txt`])
  const changed = changes.value.filter(({ path }) => !ofTheLoop.has(path))
  const paths = changed.map(({ path }) => path)
  const isProtected = matcherOf([...(memory.list.protectedPaths ?? []), ...options.protectedPaths])
  const surfacePaths = paths.filter((path) => isVerificationSurface(path) || isProtected(path))
  const surface = await diffOf(ports, { from, to: commit, paths: surfacePaths })
  if (!surface.ok) return surface
  const isSurface = new Set(surfacePaths)
  const diff = await diffOf(ports, { from, to: commit, paths: paths.filter((path) => !isSurface.has(path)) })
  if (!diff.ok) return diff
  // Reviewers may write such files as well, and no range of a story's has what they wrote.
  const sinceStart = await referee.changes(referee.baseline.commit, commit)
  if (!sinceStart.ok) return sinceStart
  // What an earlier story had ignored is as good a place to hide something as what this one has.
  const ignored = await ignoredSince(referee, [from, referee.baseline.commit])
  if (!ignored.ok) return ignored
  return ok({
    base,
    commit,
    changedPaths: paths,
    diff: diff.value,
    surface: { paths: surfacePaths, diff: surface.value },
    changedTests: changed.filter(({ path, kind }) => kind !== 'deleted' && isTestFile(path)).map(({ path }) => path),
    deletedTests: changed.filter(({ path, kind }) => kind === 'deleted' && isTestFile(path)).map(({ path }) => path),
    changedInstructions: [...new Set([...paths, ...sinceStart.value.map(({ path }) => path)])].filter(
      isInstructionFile,
    ),
    newlyIgnored: ignored.value,
    // A process that has not seen its author knows what is there now.
    leftOut: memory.leftOut.get(story.id) ?? memory.seen?.view.leftOut.map(({ path }) => path) ?? [],
    changedPrograms: referee.changedPrograms(),
    artefacts: state.stories.artefacts,
    checks: (state.stories.submitted.get(story.id) ?? []).map((check) => ports.recall(check)),
    requirements,
    isLast: story.reviewCount + 1 >= options.reviewCap,
  })
}

async function ignoredSince(referee: StoriesPorts['referee'], commits: readonly string[]): Answer<readonly string[]> {
  const found = new Set<string>()
  for (const commit of new Set(commits)) {
    const ignored = await referee.ignoredSince(commit)
    if (!ignored.ok) return ignored
    for (const path of ignored.value) found.add(path)
  }
  return ok([...found])
}

async function diffOf(
  { referee }: StoriesPorts,
  { from, to, paths }: { readonly from: string; readonly to: string; readonly paths: readonly string[] },
): Answer<ForeignText> {
  if (paths.length === 0) return ok({ text: '', omittedBytes: 0 })
  const diff = await referee.diff(from, to, { paths: paths.slice(0, maxDiffPaths), maxBytes: maxDiffBytes })
  if (!diff.ok) return diff
  const { text, omittedBytes } = diff.value
  return ok({ text, omittedBytes })
}
