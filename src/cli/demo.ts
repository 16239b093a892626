import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { ok } from '../base/result.ts'
import { act } from '../demo/act.ts'
import { beforeDeath } from '../demo/before-death.ts'
import { demoEnvironment } from '../demo/environment.ts'
import { openPlace, removePlace, type DemoPlace } from '../demo/place.ts'
import { prepareDemo } from '../demo/prepare.ts'
import { describeFailure } from '../model/describe-failure.ts'
import { findProgram } from '../process/find-program.ts'
import { listenForShutdown } from '../process/shutdown.ts'
import type { Input, RunCommand } from './command.ts'
import { whatIsComing, whatIsLeft, whatWasSeen, whereToLook } from './demo-words.ts'
import { run } from './run.ts'

/** A whole loop in a scratch project. It is the real one: only the agent is scripted. */
export const demo: RunCommand = async (input) => {
  if (input.options['act'] === true) return beTheAgent(input)
  const { dir, keep } = input.options
  const opened = openPlace(typeof dir === 'string' ? resolve(input.cwd, dir) : null)
  if (!opened.ok) return opened
  const place = opened.value
  const isKept = dir !== undefined || keep === true
  const remove = (): void => {
    const removed = isKept ? ok(undefined) : removePlace(place)
    if (!removed.ok) input.output.remark(describeFailure(removed.error).what)
  }
  const stop = beforeDeath(remove)
  try {
    const result = await playIn(place, input)
    const isDone = result.ok && result.value === 0
    const lines = [
      ...(isDone && !place.isOld ? whatWasSeen : []),
      ...(isKept ? whereToLook(place) : result.ok ? whatIsLeft(isDone) : []),
    ]
    for (const line of lines) input.output.line(line)
    return result
  } finally {
    remove()
    stop()
  }
}

async function playIn(place: DemoPlace, input: Input): ReturnType<RunCommand> {
  const { output } = input
  const node = process.execPath
  const env = demoEnvironment(input.env, { ...place, node, startedMs: Date.now() })
  const git = findProgram('git', { path: env['PATH'] ?? '', forbiddenRoot: place.project })
  if (!git.ok) return git
  for (const line of whatIsComing(place)) output.line(line)
  if (!place.isOld) {
    const shutdown = listenForShutdown(() => undefined)
    const { signal } = shutdown
    const prepared = await prepareDemo({ project: place.project, git: git.value, env, signal })
    shutdown.stop()
    if (signal.aborted) return ok(130)
    if (!prepared.ok) return prepared
  }
  const { verbose } = input.options
  const options = { agent: 'script', isolation: 'none', maxIterations: '15', verbose, demo: true }
  return run({ ...input, args: [], options, env, cwd: place.project })
}

/** What the loop of a demo starts as its agent. */
async function beTheAgent({ env, cwd, output }: Input): ReturnType<RunCommand> {
  // At a terminal nobody would end the prompt.
  const prompt = process.stdin.isTTY ? '' : await text(process.stdin)
  const node = process.execPath
  const print = (line: string): void => output.line(line)
  const played = await act({ prompt, env, cwd, node, sessionId: randomUUID(), print })
  if (!played.ok) output.remark(played.error)
  return ok(played.ok ? 0 : 1)
}
