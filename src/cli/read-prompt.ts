import { basename } from 'node:path'
import { err, ok, type Result } from '../base/result.ts'
import { visible } from '../base/visible.ts'
import { countStarts, iterationFiles } from '../journal/iteration-files.ts'
import type { RunPaths } from '../journal/project-state.ts'
import type { Failure } from '../model/failure.ts'
import { readSmall } from '../store/read-small.ts'
import { withoutCommands } from '../terminal/lay-out.ts'

/** Prompts carry diffs and check output, so they may be larger than what is in a project. */
const maxPromptBytes = 64 * 1024 * 1024

/** What the agent was told in an iteration, the last time that it was started; made visible, since agents wrote parts of it. */
export function readPrompt(paths: RunPaths, runId: string, iteration: number): Result<string, Failure> {
  const starts = countStarts(paths)
  if (!starts.ok) return starts
  const start = starts.value.get(iteration)
  if (start === undefined) {
    const numbers = [...starts.value.keys()].sort((a, b) => a - b)
    return err({
      reason: 'usage',
      message: `Run ${runId} has no prompt of an iteration ${iteration}.`,
      fix: whichThereAre(numbers),
    })
  }
  const path = iterationFiles(paths, iteration, start).prompt
  const seen = readSmall(paths.iterations, basename(path), maxPromptBytes)
  if (seen.kind === 'text') return ok(forPeople(seen.text))
  if (seen.kind === 'unreadable') return err({ reason: 'unsafe-file', path, why: seen.why })
  return err({ reason: 'missing-file', path, fix: 'Somebody removed it just now; look again.' })
}

/** Lines of agents stand at the beginning of a line here, where `::` is a command to a build server. */
const forPeople = (prompt: string): string =>
  withoutCommands(visible(prompt).replace(/\n$/, '')).replaceAll(/^([ \t]*):(?=:)/gm, String.raw`$1\u{3a}`)

function whichThereAre(numbers: readonly number[]): string {
  const [first, ...others] = numbers
  if (first === undefined) return 'It has none at all.'
  return others.length === 0 ? `It has only that of iteration ${first}.` : `It has ${first} to ${others.at(-1)}.`
}
