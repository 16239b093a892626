import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ok, err, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { errnoOf, storageFailure } from '../store/attempt.ts'
import type { RunPaths } from './project-state.ts'

/** What one start of an agent leaves, in the run's `iterations`. */
export interface IterationFiles {
  /** Raw output, as the agent printed it. */
  readonly output: string
  readonly stderr: string
  readonly prompt: string
}

/** Full paths. An iteration that was started again has its files again: `0001`, then `0001-2`, `0001-3`. */
export function iterationFiles({ iterations }: RunPaths, iteration: number, start = 1): IterationFiles {
  const stem = join(iterations, `${String(iteration).padStart(4, '0')}${start === 1 ? '' : `-${start}`}`)
  return { output: `${stem}.ndjson`, stderr: `${stem}.stderr`, prompt: `${stem}.prompt.md` }
}

/** How often each iteration was started, by the prompts that are there. */
export function countStarts({ iterations }: RunPaths): Result<ReadonlyMap<number, number>, Failure> {
  let names: string[]
  try {
    names = readdirSync(iterations)
  } catch (error) {
    return errnoOf(error) === 'ENOENT' ? ok(new Map()) : err(storageFailure('list', iterations, error))
  }
  const starts = new Map<number, number>()
  for (const name of names) {
    const [, iteration, start = '1'] = /^(\d{4,9})(?:-(\d{1,9}))?\.prompt\.md$/.exec(name) ?? []
    if (iteration === undefined) continue
    starts.set(Number(iteration), Math.max(Number(start), starts.get(Number(iteration)) ?? 0))
  }
  return ok(starts)
}
