import { err, ok, type Result } from '../base/result.ts'
import { lookAtProject } from '../journal/look-at-project.ts'
import type { Failure } from '../model/failure.ts'
import { thisHost, type Host } from '../store/host.ts'
import { inspectLock, lockedBy } from '../store/inspect-lock.ts'
import { stopSentence } from '../terminal/stop-sentence.ts'
import type { ExitCode, Output, RunCommand } from './command.ts'
import { nextStep } from './next-step.ts'
import { nothingHere } from './nothing-here.ts'
import { openProject, type Project } from './project.ts'
import { refuseInsideLoop } from './refuse-inside-loop.ts'
import { stopHolder } from './stop-holder.ts'

/** A run that stops now ends its agent, judges what it left and commits that: this is plenty. */
const deadlineMs = 60_000

/** Stops the run in a directory and waits until it has stopped. */
export const cancel: RunCommand = (input) => cancelWithin(deadlineMs, input)

/** The same with a deadline of one's own. */
export async function cancelWithin(
  withinMs: number,
  { options, cwd, env, output }: Parameters<RunCommand>[0],
): Promise<Result<ExitCode, Failure>> {
  const allowed = refuseInsideLoop(env)
  if (!allowed.ok) return allowed
  const opened = openProject({ cwd, env, projectDir: options['projectDir'] })
  if (!opened.ok) return opened
  const { state: project } = opened.value
  const host = thisHost()
  const lock = inspectLock(project.lock, host)
  if (lock.kind === 'free' || lock.kind === 'stale') {
    output.line(nothingHere(opened.value.root, 'Nothing runs here.'))
    sayWhatIsLeft(opened.value, host, output)
    return ok(0)
  }
  if (lock.kind !== 'held') return err(lockedBy(project.lock, lock))

  const { owner } = lock
  const isPatient = options['afterIteration'] === true
  output.remark(
    isPatient
      ? `Process ${owner.pid} stops when its iteration has ended. Waiting for that; Ctrl+C ends only the waiting.`
      : `Stopping process ${owner.pid}.`,
  )
  const request = isPatient ? 'after-iteration' : 'now'
  const ended = await stopHolder({ project, host, owner, request, deadlineMs: isPatient ? null : withinMs })
  if (!ended.ok) return ended
  if (ended.value === 'late') {
    const within = `${Math.round(withinMs / 1000)} s`
    return err({
      reason: 'locked',
      path: project.lock,
      holder: `process ${owner.pid} was asked to stop and has not done so within ${within}`,
      fix: `Look again with "ralph status", or end it by hand: kill ${owner.pid}`,
    })
  }
  output.line(ended.value === 'died' ? `Process ${owner.pid} has died.` : `Process ${owner.pid} has stopped.`)
  sayWhatIsLeft(opened.value, host, output)
  return ok(0)
}

/** Nothing here is worth a failure: it runs no more, and that was the question. */
function sayWhatIsLeft({ state }: Project, host: Host, output: Output): void {
  const look = lookAtProject(state, host)
  if (!look.ok) {
    output.remark('Its journal cannot be read: "ralph status" says why.')
    return
  }
  const { phase, run } = look.value
  if (phase === 'none' || phase === 'running') return
  const reason = run?.stopped?.reason ?? null
  if (reason !== null) output.line(stopSentence[reason])
  else output.line('The last run has crashed.')
  output.line(`Next: ${nextStep(phase, reason)}`)
}
