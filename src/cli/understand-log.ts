import { isRunId } from '../base/ids.ts'
import { err, ok, type Result } from '../base/result.ts'
import { visibleLine } from '../base/visible.ts'
import type { Failure } from '../model/failure.ts'
import type { Input } from './command.ts'

/** What `ralph log` is asked for. */
export interface LogWanted {
  /** null: the last one. */
  readonly runId: string | null
  /** The prompt of this iteration instead of the events. */
  readonly prompt: number | null
  readonly isFollow: boolean
  readonly isJson: boolean
}

export function understandLog({ run, prompt, follow, json }: Input['options']): Result<LogWanted, Failure> {
  const runId = typeof run === 'string' ? run : null
  // Nothing but the form of an id ever becomes part of a path.
  if (runId !== null && !isRunId(runId)) {
    return usage(`"${visibleLine(runId, 80)}" is not the id of a run.`, 'Ids look like 20261101-120000-00c0ffee.')
  }
  const wanted = { runId, isFollow: follow === true, isJson: json === true }
  if (typeof prompt !== 'string') return ok({ ...wanted, prompt: null })
  if (!/^[1-9]\d{0,8}$/.test(prompt)) {
    return usage(`"${visibleLine(prompt, 80)}" is not the number of an iteration.`, 'Iterations count from 1.')
  }
  if (wanted.isFollow || wanted.isJson) {
    return usage('--prompt shows one prompt as text.', 'Leave out --follow and --json.')
  }
  return ok({ ...wanted, prompt: Number(prompt) })
}

const usage = (message: string, fix: string): Result<never, Failure> => err({ reason: 'usage', message, fix })
