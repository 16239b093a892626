import { resolve } from 'node:path'
import { err, ok, type Result } from '../base/result.ts'
import { visibleJson } from '../base/visible.ts'
import { describeFindings, type Workers } from '../doctor/describe-findings.ts'
import { findingOfContainment } from '../doctor/finding-of-containment.ts'
import { findProject } from '../doctor/find-project.ts'
import { probeAgent } from '../doctor/probe-agent.ts'
import { probes } from '../doctor/probes.ts'
import { judge } from '../doctor/verdict.ts'
import { directIsolation } from '../isolation/none.ts'
import { describeFailure } from '../model/describe-failure.ts'
import type { Failure } from '../model/failure.ts'
import { probeContainment } from '../process/probe-containment.ts'
import { listenForShutdown } from '../process/shutdown.ts'
import { defaults } from '../settings/defaults.ts'
import { resolveOptions } from '../settings/resolve-options.ts'
import type { RunOptions } from '../settings/run-options.ts'
import { realPath } from '../store/real-path.ts'
import { agentQuestions } from './agent-questions.ts'
import type { Input, RunCommand } from './command.ts'
import { loadSettings } from './load-settings.ts'
import { openProject } from './project.ts'
import { refuseUnsafeProject } from './refuse-unsafe-project.ts'
import { userHome } from './user-home.ts'
import { version } from './version.ts'

/** Ten programs start at once, and some of them take seconds. */
const versionTimeoutMs = 10_000

/** What works on this machine. It only looks: every program is asked for its version and for nothing else. */
export const doctor: RunCommand = async ({ options: flags, cwd, env, output }) => {
  const given = resolve(cwd, String(flags['projectDir'] ?? '.'))
  const directory = realPath(given)
  if (directory === null) {
    return err({ reason: 'missing-file', path: given, fix: 'Give --project-dir a directory that exists.' })
  }
  const home = userHome(env)
  const project = findProject(directory, realPath(home) ?? home)
  const settings = optionsIn(project ?? directory, env)
  const options = settings.ok ? settings.value : defaults
  const refusals = [settings, ...(project === null ? [] : projectRules(project, env))]

  const places = { path: env['PATH'] ?? '', forbiddenRoot: project }
  const shutdown = listenForShutdown(() => undefined)
  const node = { path: process.execPath, version: process.versions.node }
  const place = { places, env, home, node, timeoutMs: versionTimeoutMs, signal: shutdown.signal }
  // First, because what else runs on the machine must not make it look as if namespaces were slow or forbidden.
  const containment = await probeContainment(places)
  const questions = agentQuestions(options, { places, isolation: directIsolation({ containment }), env })
  const [looked, agents] = await Promise.all([
    Promise.all(probes.map((probe) => probe(place))),
    Promise.all(questions.map((question) => probeAgent(question, place))),
  ])
  shutdown.stop()
  if (shutdown.signal.aborted) return ok(130)

  const findings = [...looked, findingOfContainment(containment, process.platform)]
  const problems = refusals.flatMap((result) => (result.ok ? [] : [describeFailure(result.error)]))
  const verdict = judge({ findings, agents, problems })
  const workers = workersOf(options)
  if (flags['json'] === true) {
    const { canRun, ...rest } = verdict
    const report = { ralph: version, canRun, ...rest, workers, containment: containment.level, findings, agents }
    output.line(visibleJson(JSON.stringify(report, null, 2)))
  } else {
    for (const line of describeFindings({ findings, agents, verdict, workers })) output.line(line)
  }
  return ok(verdict.canRun ? 0 : 3)
}

/** As a run without any option would have them. */
function optionsIn(root: string, env: Input['env']): Result<RunOptions, Failure> {
  const found = loadSettings(root, { cwd: root })
  if (!found.ok) return found
  const resolved = resolveOptions({ flags: {}, args: [], env, ralphDir: defaults.ralphDir, ...found.value })
  return resolved.ok ? ok(resolved.value.options) : resolved
}

const projectRules = (root: string, env: Input['env']): Result<unknown, Failure>[] => [
  openProject({ cwd: root, env }),
  refuseUnsafeProject(root, env),
]

const workersOf = ({ agents, skipReview }: RunOptions): Workers => ({
  implement: agents.implement.name,
  review: skipReview ? null : agents.review.name,
  reviewFix: agents.reviewFix.name,
})
