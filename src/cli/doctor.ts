import { join, resolve } from 'node:path'
import { err, ok, type Result } from '../base/result.ts'
import { visibleJson } from '../base/visible.ts'
import { describeFindings, type Workers } from '../doctor/describe-findings.ts'
import { findingOfBackend } from '../doctor/finding-of-backend.ts'
import { findingOfContainment } from '../doctor/finding-of-containment.ts'
import { findProject } from '../doctor/find-project.ts'
import { probeAgent } from '../doctor/probe-agent.ts'
import { probes } from '../doctor/probes.ts'
import { judge } from '../doctor/verdict.ts'
import { chooseIsolation } from '../isolation/choose-isolation.ts'
import type { Site } from '../isolation/isolation.ts'
import { directIsolation, probeDirect } from '../isolation/none.ts'
import { projectPaths } from '../journal/project-state.ts'
import { describeFailure } from '../model/describe-failure.ts'
import type { Failure } from '../model/failure.ts'
import { secretValues } from '../process/secret-values.ts'
import { listenForShutdown } from '../process/shutdown.ts'
import { defaults } from '../settings/defaults.ts'
import { resolveOptions } from '../settings/resolve-options.ts'
import type { RunOptions } from '../settings/run-options.ts'
import { realPath } from '../store/real-path.ts'
import { stateRootIn } from '../store/state-path.ts'
import { agentQuestions } from './agent-questions.ts'
import type { Input, RunCommand } from './command.ts'
import { loadSettings } from './load-settings.ts'
import { openProject } from './project.ts'
import { refuseUnsafeProject } from './refuse-unsafe-project.ts'
import { siteOf } from './site-of.ts'
import { answered, tryBackends } from './try-backends.ts'
import { userHome } from './user-home.ts'
import { version } from './version.ts'

/** Ten programs start at once, and some of them take seconds. */
const versionTimeoutMs = 10_000

/** What works on this machine. It only looks: programs are asked for their version, boxes are tried with a word or two. */
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

  const places = { path: env['PATH'] ?? '', forbiddenRoot: project }
  const shutdown = listenForShutdown(() => undefined)
  const node = { path: process.execPath, version: process.versions.node }
  const place = { places, env, home, node, timeoutMs: versionTimeoutMs, signal: shutdown.signal }
  // First, because what else runs on the machine must not make it look as if namespaces were slow or forbidden.
  const site = { ...siteHere(project ?? directory, env), places }
  const direct = await probeDirect(site)
  const { containment } = direct
  const tried = await tryBackends(site, direct)
  const wanted = { backend: options.isolation, required: options.requireSandbox }
  const chosen = await chooseIsolation(wanted, tried.map(answered), site)
  const isolation = chosen.ok ? chosen.value.isolation : directIsolation(direct)
  const questions = agentQuestions(options, { places, isolation, env })
  const [looked, agents] = await Promise.all([
    Promise.all(probes.map((probe) => probe(place))),
    Promise.all(questions.map((question) => probeAgent(question, place))),
  ])
  shutdown.stop()
  if (shutdown.signal.aborted) return ok(130)

  const findings = [...looked, findingOfContainment(containment, process.platform)]
  const boxes = tried.map((one) => findingOfBackend(one, chosen.ok && one.name === isolation.name))
  const refusals = [settings, ...(project === null ? [] : projectRules(project, env)), chosen]
  const problems = refusals.flatMap((result) => (result.ok ? [] : [describeFailure(result.error)]))
  const verdict = judge({ findings, agents, problems, agentsInBox: isolation.programs === 'box' })
  const workers = workersOf(options)
  if (flags['json'] === true) {
    const { canRun, ...rest } = verdict
    const promised = { isolation: chosen.ok ? isolation.name : null, containment: containment.level }
    const report = { ralph: version, canRun, ...rest, workers, ...promised, findings, agents, boxes }
    output.line(visibleJson(JSON.stringify(report, null, 2)))
  } else {
    for (const line of describeFindings({ findings, agents, boxes, verdict, workers })) output.line(line)
  }
  return ok(verdict.canRun ? 0 : 3)
}

/** Of a project, or of any directory: what a box would have to do with it. */
function siteHere(root: string, env: Input['env']): Site {
  const opened = openProject({ cwd: root, env })
  const state = projectPaths(join(resolve('/', stateRootIn(env, userHome(env))), 'doctor'))
  return siteOf(opened.ok ? opened.value : { root, ralphDir: defaults.ralphDir, state }, env, secretValues(env))
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
