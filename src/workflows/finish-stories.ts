import { ok } from '../base/result.ts'
import { visibleLine } from '../base/visible.ts'
import type { Finished, Steps } from '../loop/workflow.ts'
import type { MovedStory } from '../model/event.ts'
import type { RunState } from '../model/run-state.ts'
import type { TaskList } from '../model/story.ts'
import { isDone } from '../tasks/select-story.ts'
import { someOf } from '../tasks/some-of.ts'
import { compareAgain } from './compare-again.ts'
import { concernsOf } from './concerns.ts'
import { finalChecks } from './final-checks.ts'
import { nameViolations } from './name-violations.ts'
import { listIn } from './read-list.ts'
import { rulesFor } from './rules-for.ts'
import { joined, passed, runChecks } from './run-checks.ts'
import type { StoriesMemory } from './stories-memory.ts'
import type { StoriesPorts } from './stories-ports.ts'

/**
 * Everything looks done: all checks once more on the one commit that the run ends with, and afterwards that commit, tree and
 * list are still what they were. What fails goes back to the story that was approved last; without one a person is asked.
 */
export async function* finishStories(ports: StoriesPorts, memory: StoriesMemory, state: RunState): Steps<Finished> {
  const { options } = ports
  const { iteration } = state
  const { artefacts } = state.stories
  memory.before = { ...memory.before, list: memory.list, base: memory.base }
  // What was judged, and not what is there now: whoever has been here since the last judgement is undone like a check.
  const judged = memory.base
  const rules = rulesFor(ports, memory, { story: null, mode: null, outcome: null })
  const comparison = { iteration, judged, list: memory.list, rules, artefacts }
  const first = yield* compareAgain(ports, memory, { ...comparison, checksSince: ports.clock.now() })
  if (!first.ok) return first
  const uncommitted = memory.seen?.view.uncommitted ?? []
  if (first.value.violations.length === 0 && uncommitted.length > 0) {
    const files = someOf(uncommitted.map((path) => visibleLine(path)))
    return stop('waiting', [`Not committed: ${files}. Commit or ignore them, then run again.`])
  }
  yield { kind: 'completion.started', iteration, ...judged }
  const { firstTree } = state.stories
  const start = firstTree === null ? ok(memory.list) : await listIn(ports, firstTree)
  if (!start.ok) return start
  const checks = finalChecks(memory.list, start.value, options)
  const fresh = await ports.freshBox()
  if (!fresh.ok) return fresh
  const wanted = checks.commands.map((command) => ({ command, decides: true }))
  const checked = yield* runChecks(ports, memory, {
    wanted,
    mode: null,
    story: options.story,
    comparison: { ...comparison, artefacts: [...artefacts, ...first.value.artefacts] },
  })
  if (!checked.ok) return checked
  const compared = joined(first.value, checked.value.compared)
  const { runs } = checked.value
  const failed = (runs ?? []).filter((run) => !passed(run))
  const { violations } = compared
  const holds = failed.length === 0 && violations.length === 0
  // The next process, or the next run, must not take for somebody's changes what they made.
  if (compared.artefacts.length > 0 && (runs === null || holds)) {
    yield { kind: 'stories.moved', iteration, moves: [], artefacts: compared.artefacts, violations: [] }
  }
  if (runs === null) return ok({ kind: 'go-on' })
  if (holds) {
    const { skipReview, story: onlyStory } = options
    const concerns = concernsOf(memory.list, state, { skipReview, checks, onlyStory })
    return stop(concerns.length === 0 ? 'complete' : 'complete_with_concerns', concerns)
  }
  const blamed = whoFixes(memory.list, state, options.skipReview)
  const moves: MovedStory[] =
    blamed === null ? [] : [{ story: blamed, to: options.skipReview ? 'reopened' : 'changes_requested', by: 'runner' }]
  const named = nameViolations(violations)
  yield { kind: 'stories.moved', iteration, moves, artefacts: compared.artefacts, ...named }
  const reasons = [
    ...failed.map(({ command, trouble, exitCode }) => `\`${command}\` fails (${trouble ?? `exit code ${exitCode}`})`),
    ...named.violations.map(({ message }) => message),
  ]
  return blamed === null ? stop('waiting', reasons) : ok({ kind: 'go-on' })
}

function whoFixes(list: TaskList, { stories }: RunState, skipReview: boolean): string | null {
  const id = stories.lastApproved
  return id !== null && list.userStories.some((story) => story.id === id && isDone(story, skipReview)) ? id : null
}

const stop = (reason: Extract<Finished, { kind: 'stop' }>['reason'], details: readonly string[]) =>
  ok<Finished>({ kind: 'stop', reason, details })
