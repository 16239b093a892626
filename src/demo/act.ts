import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { err, ok, type Result } from '../base/result.ts'
import { unreachable } from '../base/unreachable.ts'
import { describeFailure } from '../model/describe-failure.ts'
import type { IterationMode } from '../model/story.ts'
import { findProgram } from '../process/find-program.ts'
import { attempt } from '../store/attempt.ts'
import { readTasks } from '../tasks/read-tasks.ts'
import { agentEnvironment, pauseMs } from './environment.ts'
import { performStep, type Workplace } from './perform-step.ts'
import { isDemoList } from './project.ts'
import { sceneFor, type Situation } from './scene.ts'
import type { Step } from './step.ts'
import { streamLines, type StreamLines, type ToolCall } from './stream-lines.ts'

export interface ActRequest {
  /** What came on stdin, to its end. */
  readonly prompt: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The project. */
  readonly cwd: string
  /** The node that runs this. */
  readonly node: string
  readonly sessionId: string
  print(line: string): void
}

/** Words take longer to read than the name of a tool. */
const wordsMs = 350
const toolMs = 80

/** One start of the scripted agent. An error is one line on why it could not play its part. */
export async function act(request: ActRequest): Promise<Result<void, string>> {
  const startedAt = performance.now()
  const lines = streamLines(request.sessionId)
  request.print(lines.start(request.cwd))
  const played = await play(request, lines)
  const duration = performance.now() - startedAt
  request.print(played.ok ? lines.end(played.value, true, duration) : lines.end(played.error, false, duration))
  return played.ok ? ok(undefined) : played
}

/** The last thing that the agent said. */
async function play(request: ActRequest, lines: StreamLines): Promise<Result<string, string>> {
  const ralphDir = resolve(request.cwd, request.env['RALPH_DIR'] ?? 'ralph')
  const situation = look(request, ralphDir)
  if (!situation.ok) return situation
  const git = findProgram('git', { path: request.env['PATH'] ?? '', forbiddenRoot: request.cwd })
  if (!git.ok) return err(describeFailure(git.error).what)
  const place: Workplace = {
    project: request.cwd,
    ralphDir,
    git: git.value,
    node: request.node,
    env: agentEnvironment(request.env),
  }
  const scene = sceneFor(situation.value)
  let said = ''
  let calls = 0
  const pause = (ms: number) => delay(pauseMs(request.env, ms, Date.now()))
  for (let next = scene.next(); next.done !== true;) {
    const step = next.value
    if (step.kind === 'say') {
      said = step.text
      request.print(lines.text(said))
      await pause(wordsMs)
      next = scene.next({ ok: true, text: '' })
      continue
    }
    const number = ++calls
    request.print(lines.call(number, asToolCall(step)))
    const done = await performStep(step, place)
    request.print(lines.result(number, done.ok && done.value.ok, done.ok ? done.value.text : done.error))
    if (!done.ok) return done
    await pause(toolMs)
    next = scene.next(done.value)
  }
  return ok(said)
}

/** What the agent finds: its own project, and a prompt that speaks of the story that it was started for. */
function look({ prompt, env }: ActRequest, ralphDir: string): Result<Situation, string> {
  const tasks = attempt('read', join(ralphDir, 'tasks.json'), () => readFileSync(join(ralphDir, 'tasks.json'), 'utf8'))
  const list = tasks.ok ? readTasks(tasks.value) : null
  if (list?.ok !== true || !isDemoList(list.value)) {
    return err(
      'The agent "script" plays the demo and knows no other project; run "ralph demo", or choose another agent.',
    )
  }
  const mode = env['RALPH_MODE'] ?? ''
  const story = list.value.userStories.find((story) => story.id === env['RALPH_STORY'])
  if (!isMode(mode) || story === undefined) return err('RALPH_MODE and RALPH_STORY do not say what to do.')
  if (!prompt.includes(story.id)) return err(`The prompt on stdin does not speak of ${story.id}.`)
  const path = join(ralphDir, 'progress.txt')
  const progress = attempt('read', path, () => readFileSync(path, 'utf8'))
  // The first entry makes the file.
  return ok({ mode, story, list: list.value, progress: progress.ok ? progress.value : '', prompt })
}

const isMode = (text: string): text is IterationMode => ['implement', 'review', 'review-fix'].includes(text)

/** A step in the words of Claude Code. */
function asToolCall(step: Exclude<Step, { kind: 'say' }>): ToolCall {
  switch (step.kind) {
    case 'read':
      return { name: 'Read', input: { file_path: step.path } }
    case 'write':
      return { name: 'Write', input: { file_path: step.path, content: step.content } }
    case 'note':
      return { name: 'Edit', input: { file_path: 'ralph/progress.txt' } }
    case 'edit-story':
      return { name: 'Edit', input: { file_path: 'ralph/tasks.json' } }
    case 'run':
      return { name: 'Bash', input: { command: [step.program, ...step.args.map(quoted)].join(' ') } }
    case 'commit':
      return { name: 'Bash', input: { command: `git add --all && git commit --message ${quoted(step.message)}` } }
    default:
      return unreachable(step)
  }
}

/** As a shell would want it. */
const quoted = (word: string): string =>
  /^[\w./-]+$/.test(word) ? word : `"${word.replaceAll(/["\\$`]/g, String.raw`\$&`)}"`
