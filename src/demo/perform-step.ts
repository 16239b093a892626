import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { err, ok, type Result } from '../base/result.ts'
import { unreachable } from '../base/unreachable.ts'
import { describeFailure } from '../model/describe-failure.ts'
import { runProgram } from '../process/run-program.ts'
import { attempt } from '../store/attempt.ts'
import { readTasks, writeTasks } from '../tasks/read-tasks.ts'
import { failedTests } from './failed-tests.ts'
import type { Step, StepResult } from './step.ts'

/** Where the scripted agent works. */
export interface Workplace {
  readonly project: string
  /** Absolute: where tasks.json and progress.txt are. */
  readonly ralphDir: string
  readonly git: string
  readonly node: string
  readonly env: Readonly<Record<string, string>>
}

/** Really does what a step says. An error ends the scene: one line on what went wrong. */
export function performStep(
  step: Exclude<Step, { kind: 'say' }>,
  place: Workplace,
): Promise<Result<StepResult, string>> {
  switch (step.kind) {
    case 'read':
      // What is not there is a finding of the reader's, not the end of the scene.
      return Promise.resolve(ok(readOrSay(join(place.project, step.path))))
    case 'write':
      return onDisk('write', join(place.project, step.path), (path) => {
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, step.content)
        return `${step.path} was written.`
      })
    case 'note':
      return onDisk('write', join(place.ralphDir, 'progress.txt'), (path) => {
        appendFileSync(path, `\n- ${step.text}\n`)
        return 'progress.txt was updated.'
      })
    case 'edit-story':
      return editStory(step, place)
    case 'run':
      return runTool(step.program, step.args, place)
    case 'commit':
      return commit(step.message, place)
    default:
      return unreachable(step)
  }
}

function readOrSay(path: string): StepResult {
  const text = attempt('read', path, () => readFileSync(path, 'utf8'))
  return text.ok ? { ok: true, text: text.value } : { ok: false, text: describeFailure(text.error).what }
}

function onDisk(doing: string, path: string, action: (path: string) => string): Promise<Result<StepResult, string>> {
  const done = attempt(doing, path, () => action(path))
  return Promise.resolve(done.ok ? ok({ ok: true, text: done.value }) : err(describeFailure(done.error).what))
}

async function editStory(
  { story: id, fields, notes }: Extract<Step, { kind: 'edit-story' }>,
  place: Workplace,
): Promise<Result<StepResult, string>> {
  const path = join(place.ralphDir, 'tasks.json')
  const text = attempt('read', path, () => readFileSync(path, 'utf8'))
  if (!text.ok) return err(describeFailure(text.error).what)
  const list = readTasks(text.value)
  const story = list.ok ? list.value.userStories.find((story) => story.id === id) : undefined
  if (!list.ok || story === undefined) return err(`tasks.json has no valid story ${id}.`)
  Object.assign(story, fields)
  if (notes !== undefined) story.notes = [story.notes ?? '', notes].filter((note) => note !== '').join(' ')
  return onDisk('write', path, () => {
    writeFileSync(path, writeTasks(list.value))
    return `Story ${id} was updated.`
  })
}

async function runTool(
  program: 'git' | 'node',
  args: readonly string[],
  place: Workplace,
): Promise<Result<StepResult, string>> {
  const ran = await runProgram({ program: place[program], args, cwd: place.project, env: place.env })
  if (!ran.ok) return err(describeFailure(ran.error).what)
  const { exitCode, stdout, stderrTail } = ran.value
  const text = `${stdout.toString('utf8')}${stderrTail}`
  return ok({ ok: exitCode === 0, text: exitCode === 0 ? text : failedTests(text) })
}

async function commit(message: string, place: Workplace): Promise<Result<StepResult, string>> {
  const added = await runTool('git', ['add', '--all'], place)
  if (!added.ok || !added.value.ok) return added
  // 0: nothing is staged. An interrupted iteration may have left its work committed already.
  const staged = await runTool('git', ['diff', '--cached', '--quiet'], place)
  if (!staged.ok || staged.value.ok) return staged
  const committed = await runTool('git', ['commit', '--quiet', '--message', message], place)
  if (committed.ok && !committed.value.ok) return err(`git commit failed: ${committed.value.text.trim()}`)
  return committed
}
