import { err, ok } from '../base/result.ts'
import type { Answer, Started, Starting } from '../loop/workflow.ts'
import type { RunState } from '../model/run-state.ts'
import type { IterationMode, Story } from '../model/story.ts'
import { buildPrompt } from '../prompt/build-prompt.ts'
import type { Feedback } from '../prompt/prompt-input.ts'
import { markerVersion, snapshotForMarker, writeMarker } from '../tasks/marker.ts'
import { isDone } from '../tasks/select-story.ts'
import { takeSnapshot } from '../tasks/take-snapshot.ts'
import { clearMarker } from './clear-marker.ts'
import { markerPath } from './look.ts'
import { reviewMaterial } from './review-material.ts'
import { rulesFor } from './rules-for.ts'
import type { StoriesMemory } from './stories-memory.ts'
import type { StoriesPorts } from './stories-ports.ts'

/** The snapshot that the agent will be judged against, the marker for its hooks, and its prompt. */
export async function startIteration(
  ports: StoriesPorts,
  memory: StoriesMemory,
  { starting, state }: { readonly starting: Starting; readonly state: RunState },
): Answer<Started> {
  const mode = starting.mode ?? 'implement'
  const story = memory.list.userStories.find(({ id }) => id === starting.story)
  if (story === undefined) throw new Error('an iteration about a story that is not in the list')
  const packageJson = ports.files.read('package.json')
  memory.before = {
    list: memory.list,
    base: memory.base,
    packageJson: packageJson.kind === 'text' ? packageJson.text : null,
  }
  const start = startTexts(ports, memory)
  const prompt = await promptFor(ports, memory, { starting, state, story, mode, start })
  if (!prompt.ok) return prompt
  const placed = await ports.placeInstructions(mode)
  if (!placed.ok) return placed
  if (ports.files.read(markerPath).kind === 'unreadable') {
    const cleared = clearMarker(ports, starting.iteration)
    if (!cleared.ok) return cleared
  }
  const marker = markerFor(ports, memory, { starting, mode, artefacts: state.stories.artefacts })
  const written = await ports.files.show(markerPath, marker)
  if (!written.ok) return written
  memory.marker = marker
  memory.seen = null
  const { commit, tree } = memory.base
  return ok({ base: commit, branch: memory.branch, tree, prompt: prompt.value })
}

/** prompt.md and prd.md belong to people and are read once, before this process has started an agent. */
function startTexts(ports: StoriesPorts, memory: StoriesMemory) {
  if (memory.start !== null) return memory.start
  const { ralphDir } = ports.options
  const template = ports.files.read(`${ralphDir}/prompt.md`)
  const requirements = ports.files.read(`${ralphDir}/prd.md`)
  memory.start = {
    template: template.kind === 'text' ? template.text : ports.defaultTemplate,
    requirements: requirements.kind === 'text' ? requirements.text : '',
  }
  return memory.start
}

interface PromptRequest {
  readonly starting: Starting
  readonly state: RunState
  readonly story: Story
  readonly mode: IterationMode
  readonly start: NonNullable<StoriesMemory['start']>
}

async function promptFor(
  ports: StoriesPorts,
  memory: StoriesMemory,
  { starting, state, story, mode, start }: PromptRequest,
): Answer<string> {
  const { options } = ports
  const { list } = memory
  const { requirements } = start
  const review = mode === 'review' ? await reviewMaterial(ports, memory, { story, state, requirements }) : ok(null)
  if (!review.ok) return err(review.error)
  return ok(
    buildPrompt({
      template: start.template,
      iteration: starting.iteration,
      maxIterations: options.maxIterations,
      mode,
      skipReview: options.skipReview,
      reviewCap: options.reviewCap,
      completionTag: options.completionTag,
      list,
      story,
      ralphDir: options.ralphDir,
      storyChecks: story.verifyCommands ?? [],
      checks: [...new Set([...(list.verifyCommands ?? []), ...options.checks.map(({ command }) => command)])],
      nonce: ports.newNonce(),
      feedback: feedbackFrom(ports, memory, state),
      review: review.value,
      includeIterationCount: options.includeIterationCountInPrompt,
      maxTextChars: options.outputTruncateChars,
    }),
  )
}

function feedbackFrom(ports: StoriesPorts, { list }: StoriesMemory, { last }: RunState): Feedback | null {
  if (last === null) return null
  const { iteration, error, violations, unfinished, checks, promised } = last
  const failedChecks = checks
    .filter(({ exitCode }) => exitCode !== 0)
    .map((check) => {
      const result = ports.recall(check)
      return Object.assign({ path: ports.publishLog(result, iteration) }, result)
    })
  const falsePromise = promised && list.userStories.some((story) => !isDone(story, ports.options.skipReview))
  return { iteration, error, violations, unfinished, failedChecks, falsePromise }
}

function markerFor(
  ports: StoriesPorts,
  memory: StoriesMemory,
  {
    starting,
    mode,
    artefacts,
  }: { readonly starting: Starting; readonly mode: IterationMode; readonly artefacts: readonly string[] },
): string {
  const { options, files } = ports
  const rules = rulesFor(ports, memory, { story: starting.story, mode, outcome: null })
  const guarded = [`${options.ralphDir}/prd.md`, `${options.ralphDir}/prompt.md`]
  const paths = [...guarded, ...[...memory.tracked].filter((path) => rules.protects(path))]
  const hashes = paths.flatMap((path) => {
    const seen = files.read(path)
    return seen.kind === 'text' ? [[path, ports.sha256(seen.text)] as const] : []
  })
  return writeMarker({
    version: markerVersion,
    timestamp: new Date(ports.clock.now()).toISOString(),
    pid: ports.pid,
    runId: ports.runId,
    sessionId: starting.sessionId,
    iteration: starting.iteration,
    max_iterations: options.maxIterations,
    mode: ports.boxed ? 'sandbox' : 'direct',
    ralphDir: options.ralphDir,
    story: starting.story,
    base: memory.base.commit,
    branch: memory.branch,
    skipReview: options.skipReview,
    reviewCap: options.reviewCap,
    iterationMode: mode,
    ...snapshotForMarker(takeSnapshot(memory.list, memory.branch)),
    hashes: Object.fromEntries(hashes),
    leaveOut: [...ports.dirtyPaths, ...artefacts],
  })
}
