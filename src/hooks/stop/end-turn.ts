import { constants, openSync, writeSync } from 'node:fs'
import { isObject, type JsonObject } from '../../base/json.ts'
import { err } from '../../base/result.ts'
import { visibleLine } from '../../base/visible.ts'
import { errnoOf } from '../../store/attempt.ts'
import { readBriefly } from '../../store/read-briefly.ts'
import { textOf } from '../../tasks/draft.ts'
import { judgeTurn } from '../../tasks/judge-turn.ts'
import { readMarker, rulesOfMarker, snapshotOfMarker } from '../../tasks/marker.ts'
import { parseList } from '../../tasks/read-tasks.ts'
import { readAll } from '../host/read-all.ts'
import { gitIn, gitTimeoutMs } from '../loop/git-in.ts'
import { isOurs } from '../loop/is-ours.ts'
import { countBlock, maxBlocks } from './count-blocks.ts'
import { describeBlock } from './describe-block.ts'
import { observe } from './observe.ts'
import { parseStatus, type Status } from './parse-status.ts'

/** Where the hook was called. */
export interface Place {
  /** The directory with the marker, or ''. */
  readonly loop: string
  /** What the launcher has git's status on, or NaN. */
  readonly statusFd: number
  readonly env: NodeJS.ProcessEnv
}

/** What Claude Code is told when a turn ends: to go on, with all that is wrong, or nothing. */
export function endTurn(input: JsonObject, { loop, statusFd, env }: Place): JsonObject | null {
  if (loop === '') return null
  const session = textOf(input['session_id'])
  const runId = env['RALPH_RUN_ID']
  const file = readBriefly(loop, '.ralph-active')
  const read =
    file.kind === 'text'
      ? readMarker(file.text)
      : err(`.ralph-active: ${file.kind === 'missing' ? 'it is gone' : file.why}`)
  if (!read.ok) tell(read.error)
  // Whose marker it was, nobody can say: only a session that a runner started is held to anything.
  if (!read.ok && (runId ?? '') === '') return null
  const marker = read.ok ? read.value.marker : {}
  const git = gitIn(loop, env)
  if (read.ok && !isOurs(marker, { id: session, runId, git })) return null
  if (read.ok) read.value.warnings.forEach(tell)

  const before = snapshotOfMarker(marker)
  const rules = rulesOfMarker(marker)
  const mode = marker.iterationMode ?? 'implement'
  const status = readStatus(statusFd)
  if (status === null) tell('git does not say what is uncommitted')
  const seen = observe(loop, marker, status, git)
  const verdict = judgeTurn(before, seen, mode, rules)
  if (verdict.illegal.length + verdict.unfinished.length === 0) return null

  const nth = countBlock(session, env)
  // Without a count the first block of a turn is the only one.
  if (nth === null && input['stop_hook_active'] === true) return null
  if (nth !== null && nth > maxBlocks) {
    tell(`blocked ${maxBlocks} times; letting go. The runner rejects what is illegal`)
    return null
  }
  const list = seen.tasks.kind === 'text' ? parseList(seen.tasks.text) : null
  const stories = list?.ok === true ? list.value.userStories.filter(isObject) : []
  const now = new Map(stories.map((story) => [textOf(story['id']), story]))
  const base = marker.base ?? 'HEAD'
  const known = { before, now, mode, rules, changes: seen.changes ?? [], base }
  return { decision: 'block', reason: describeBlock(verdict, nth ?? 1, known) }
}

function tell(what: string): void {
  writeSync(2, `ralph stop: ${visibleLine(what, 500)}\n`)
}

function readStatus(fd: number): Status | null {
  if (Number.isNaN(fd)) return null
  const text = readAll(withoutBlocking(fd), { maxBytes: 64 * 1024 * 1024, until: Date.now() + gitTimeoutMs })
  return text.ok ? parseStatus(text.value) : null
}

/** The same pipe opened anew, where the system can do that: a git that hangs must not hold the turn. */
function withoutBlocking(fd: number): number {
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    errnoOf(error)
    return fd
  }
}
