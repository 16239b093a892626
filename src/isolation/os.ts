import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import type { Containment } from '../process/containment.ts'
import { endRun } from '../process/end-tree.ts'
import { probeContainment } from '../process/probe-containment.ts'
import { runChild, type ChildEnd } from '../process/run-child.ts'
import type { Backend, Box, ExecRequest, Isolation, Opening, Site } from './isolation.ts'
import { directGrace, hostFiles } from './none.ts'
import { findRuntime, type Runtime } from './os/find-runtime.ts'
import { gitGuards, otherWorkTrees } from './os/git-guards.ts'
import { innerCommand, outerCommand } from './os/inner-command.ts'
import { openKeeper, type Keeper } from './os/keeper.ts'
import { filePolicy, withoutProxy, type FilePolicy } from './os/policy.ts'
import { emptyScratch, scratchVariables } from './os/scratch.ts'
import { areInPlace, placeStandIns, recordIn, removeStandIns } from './os/stand-ins.ts'
import { tryBox } from './os/try-box.ts'

/** The operating system's own means, by sandbox-runtime: bubblewrap on Linux, seatbelt on macOS. */
export const os: Backend = {
  name: 'os',
  async probe(site) {
    const runtime = await findRuntime(site, process.platform)
    if (!runtime.ok) return runtime
    const containment = await probeContainment(site.places)
    const parts = { site, runtime: runtime.value, containment }
    const why = await tryBox((trial, opening) => openBox({ ...parts, site: trial }, opening), site, runtime.value)
    return why === null ? ok(osIsolation(parts)) : err(why)
  },
}

interface Parts {
  readonly site: Site
  readonly runtime: Runtime
  readonly containment: Containment
}

function osIsolation(parts: Parts): Isolation {
  const { runtime } = parts
  const means = process.platform === 'darwin' ? 'seatbelt' : 'bubblewrap'
  return {
    name: 'os',
    boxed: true,
    programs: 'host',
    description: `OS sandbox (${means} by sandbox-runtime ${runtime.version}): writes only to the project, reaches only allowed hosts`,
    open: (opening) => openBox(parts, opening),
    endAll: (runId) => endRun(runId, directGrace),
  }
}

async function openBox(parts: Parts, opening: Opening): Promise<Result<Box, Failure>> {
  const { site, runtime } = parts
  if (site.gitDirs.length === 0) {
    return err(unavailable('The project has no git directory that can be protected.', 'See that .git is a real one.'))
  }
  const tidied = removeStandIns(recordIn(site.given))
  if (!tidied.ok) return tidied
  for (const directory of [site.given, site.homes]) mkdirSync(directory, { recursive: true, mode: 0o700 })
  const keeper = await openKeeper(runtime, site, opening.hosts)
  if (!keeper.ok) return err(unavailable(`The OS sandbox could not be opened: ${keeper.error}`))
  let isOpen = true
  return ok({
    ...hostFiles,
    exec: (request) => exec(parts, { keeper: keeper.value, opening, request }),
    renew: () => Promise.resolve(emptyScratch(keeper.value.places.scratch)),
    dispose: async () => {
      if (!isOpen) return
      isOpen = false
      await keeper.value.end()
    },
  })
}

/** Only a run in another work tree that ends in the same moment makes a second one necessary. */
const maxTries = 5

interface Start {
  readonly keeper: Keeper
  readonly opening: Opening
  readonly request: ExecRequest
}

async function exec(parts: Parts, { keeper, opening, request }: Start): Promise<Result<ChildEnd, Failure>> {
  const { site, runtime, containment } = parts
  const { tools } = runtime
  if (!existsSync(request.argv[0])) {
    return err({ reason: 'cannot-start', program: request.argv[0], code: 'ENOENT' })
  }
  const git = gitGuards(site.project, site.gitDirs, workTreesIn(site.gitDirs))
  const record = recordIn(site.given)
  const env = { ...scratchVariables(keeper.places.scratch), ...noProxy(opening) }
  const script = innerCommand({ argv: request.argv, env, tools })
  try {
    for (let tries = 0; tries < maxTries; tries++) {
      const placed = placeStandIns(record, git.standIns)
      if (!placed.ok) return placed
      const line = await keeper.wrap(script, tools.bash, policyOf(parts, keeper, opening, git))
      if (!line.ok) return err(unavailable(`The OS sandbox could not be made: ${line.error}`))
      if (!areInPlace(git.standIns)) continue
      const argv = outerCommand(line.value, tools)
      return await runChild({ ...request, argv, containment, secrets: site.secrets, grace: directGrace })
    }
    return err(unavailable('Something else takes away again what protects the git directory.'))
  } finally {
    await keeper.clean()
    removeStandIns(record)
  }
}

function policyOf(
  { site, runtime }: Parts,
  { places }: Keeper,
  { readable }: Opening,
  git: ReturnType<typeof gitGuards>,
): FilePolicy {
  const policy = filePolicy({
    site,
    readable,
    places,
    git,
    userHomes: [site.home, ...(process.getuid?.() === 0 ? everybodysHomes() : [])],
    platform: process.platform,
    programs: [runtime.root, dirname(process.execPath)],
  })
  // What is missing gets a file that git and the agent would see; the referee takes such things away afterwards.
  return { ...policy, denyWrite: policy.denyWrite.filter((path) => existsSync(path)) }
}

const everybodysHomes = (): string[] => ['/root', ...namesIn('/home').map((name) => join('/home', name))]

const workTreesIn = (gitDirs: readonly string[]): string[] =>
  otherWorkTrees(namesIn(join(gitDirs[1] ?? gitDirs[0] ?? '/', 'worktrees')), gitDirs)

const namesIn = (directory: string): string[] => (existsSync(directory) ? readdirSync(directory) : [])

function noProxy({ hosts }: Opening): Record<string, string> {
  const exempt = withoutProxy(hosts)
  return { NO_PROXY: exempt, no_proxy: exempt }
}

const unavailable = (why: string, fix = '"ralph doctor" tells more; --isolation chooses another box.'): Failure => ({
  reason: 'isolation-unavailable',
  why,
  fix,
})
