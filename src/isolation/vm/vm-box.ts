import { createHash, randomBytes } from 'node:crypto'
import { sep } from 'node:path'
import { err, ok, type Result } from '../../base/result.ts'
import { unreachable } from '../../base/unreachable.ts'
import type { Failure } from '../../model/failure.ts'
import { shellStatus } from '../../process/containment.ts'
import { runChild, type ChildEnd } from '../../process/run-child.ts'
import type { Box, ExecRequest, Opening, Site } from '../isolation.ts'
import { askBox } from './ask-box.ts'
import { prepareAuth } from './auth-state.ts'
import type { ListedBox } from './box-list.ts'
import { awaitFiles, dropAndAwait, dropPaths, newDrop, takeDropsAway } from './await-files.ts'
import type { VmClient } from './client.ts'
import { endInside, type InsideEnd } from './end-inside.ts'
import { execArguments } from './exec-arguments.ts'
import { writeScript } from './inside.ts'
import {
  isNamed,
  listBoxes,
  makeMachine,
  removeMachine,
  startMachine,
  stopMachine,
  type MachinePlan,
} from './machine.ts'
import { planFor } from './plan-for.ts'
import { vmFailure } from './vm-failure.ts'
import { outerGitDirs } from './workspaces.ts'

/** A client is found by this after the runner was killed; what it started has the run's own id, in another world. */
export const clientIdOf = (runId: string): string => `${runId}-client`

/** A client has nothing to tidy up. */
const clientGrace = { termMs: 1000, killMs: 2000 }
const attempts = 3

interface Running {
  readonly name: string
  readonly template: string
  /** Its processes when it was started. */
  readonly known: string
}

/**
 * The boxes of one project, one for each template that is needed, and one of them running at a time: two copies of a project would
 * not know of each other.
 */
export class VmBox implements Box {
  readonly #client: VmClient
  readonly #site: Site
  readonly #opening: Opening
  /** What is awaited of a box that copies. */
  readonly #drops: readonly string[]
  #running: Running | null = null
  /** Where something of an agent's has been: in every box of an earlier run. */
  readonly #used = new Set<string>()
  /** The host has written what the running box cannot see. */
  #isStale = false
  /** What the box has seen of files outside of the project. */
  readonly #shown = new Map<string, string>()
  #template: string

  constructor(client: VmClient, site: Site, opening: Opening) {
    this.#client = client
    this.#site = site
    this.#opening = opening
    this.#drops = dropPaths([site.project, ...outerGitDirs(site)])
    this.#template = planFor(client, site, opening, opening.agents[0]).template
  }

  /** Makes it ready for the first agent, so that trouble is known before anything else happens. */
  open(listed: readonly ListedBox[]): Promise<Result<unknown, Failure>> {
    return this.#ready(this.#plan(), listed)
  }

  async exec(request: ExecRequest): Promise<Result<ChildEnd, Failure>> {
    const plan = this.#plan(request.agent)
    for (let attempt = 1; ; attempt++) {
      if (request.signal?.aborted === true) return runChild(this.#child(request, [this.#client.program]))
      // Also brings up the program's own daemon, which must not be a child of ours that ends with an agent.
      const listed = await listBoxes(this.#client)
      if (!listed.ok) return listed
      const ready = await this.#ready(plan, listed.value)
      if (!ready.ok) return ready
      this.#template = plan.template
      this.#used.add(ready.value.name)
      const file = `/tmp/.ralph-${randomBytes(8).toString('hex')}`
      const args = execArguments(ready.value.name, request, { file, client: this.#client.env })
      const ended = await runChild(this.#child(request, this.#client.argv(args.words), args.env))
      const inside = await this.#tidy(request.runId, ready.value, file)
      if (!inside.ok) return inside
      if (!ended.ok) return ended
      const known = judgeEnd(ended.value, inside.value, request.argv[0])
      if (known !== 'never-began') return known
      // Nothing has happened, so it can be tried again.
      if (attempt === attempts) {
        const answer = { exitCode: ended.value.exitCode, timedOut: false, stdout: '', stderr: ended.value.stderrTail }
        return err(vmFailure(this.#client, `run ${request.argv[0]} in the sandbox ${ready.value.name}`, answer))
      }
    }
  }

  async writeFile(path: string, bytes: Uint8Array): Promise<Result<void, Failure>> {
    if (!this.#client.cli.copiesFiles) return ok(undefined)
    const hash = createHash('sha256').update(bytes).digest('hex')
    const running = this.#running
    if (!path.startsWith(this.#site.project + sep)) {
      const isNews = this.#shown.get(path) !== hash
      this.#shown.set(path, hash)
      return isNews ? this.refresh() : ok(undefined)
    }
    // One that starts sees what is there.
    if (running === null || this.#isStale) return ok(undefined)
    const question = { script: writeScript, args: [path], stdin: bytes }
    const written = await askBox(this.#client, running.name, question)
    if (!written.ok) return err(vmFailure(this.#client, `write ${path} in the sandbox`, written.error))
    return written.value.startsWith(`wrote ${hash}`) ? ok(undefined) : this.refresh()
  }

  /** The next exec starts the box anew. */
  refresh(): Promise<Result<void, Failure>> {
    this.#isStale = this.#client.cli.copiesFiles && this.#running !== null
    return Promise.resolve(ok(undefined))
  }

  /** The next exec makes the box anew. */
  async renew(): Promise<Result<void, Failure>> {
    if (this.#used.size === 0) return ok(undefined)
    this.#running = null
    for (const name of this.#used) {
      const removed = await removeMachine(this.#client, name)
      if (!removed.ok) return removed
      this.#used.delete(name)
    }
    return ok(undefined)
  }

  async dispose(): Promise<void> {
    if (this.#running !== null && this.#client.cli.copiesFiles) {
      await takeDropsAway(this.#client, this.#running.name, this.#drops)
    }
    // The next run stops it before anything else, should this fail.
    await this.#stop()
  }

  #plan(agent?: string): MachinePlan {
    return planFor(this.#client, this.#site, this.#opening, agent ?? { template: this.#template })
  }

  /** The box runs, is set up, sees the host's files, and no other one runs. */
  async #ready(plan: MachinePlan, boxes: readonly ListedBox[]): Promise<Result<Running, Failure>> {
    const listed = boxes.find(({ name }) => isNamed(name, plan.name))
    if (this.#running !== null) {
      const isGone = listed === undefined || listed.name !== this.#running.name
      if (!isGone && !this.#isStale) return ok(this.#running)
      const stopped = await this.#stop()
      if (!stopped.ok) return stopped
    }
    if (listed !== undefined) {
      const started = await startMachine(this.#client, listed.name)
      if (!started.ok) return started
      if (started.value.ready) {
        this.#used.add(listed.name)
        return ok(this.#begin(listed.name, plan.template, started.value.known))
      }
      const removed = await removeMachine(this.#client, listed.name)
      if (!removed.ok) return removed
    }
    return this.#make(plan)
  }

  async #make(plan: MachinePlan): Promise<Result<Running, Failure>> {
    if (plan.auth !== null) {
      const auth = prepareAuth(this.#site)
      if (!auth.ok) return auth
    }
    plan.remark(
      `Making a sandbox for this project (${this.#client.cli.typed}, ${plan.template}); the first one takes minutes.`,
    )
    const made = await makeMachine(this.#client, plan)
    if (!made.ok) return made
    const started = await startMachine(this.#client, made.value)
    return started.ok ? ok(this.#begin(made.value, plan.template, started.value.known)) : started
  }

  #begin(name: string, template: string, known: string): Running {
    this.#isStale = false
    this.#running = { name, template, known }
    return this.#running
  }

  async #stop(): Promise<Result<void, Failure>> {
    const running = this.#running
    if (running === null) return ok(undefined)
    this.#running = null
    this.#isStale = false
    return stopMachine(this.#client, running.name)
  }

  /** Ends whatever a command left in the box, else the box; its files are here then. */
  async #tidy(
    runId: string,
    { known, name, template }: Running,
    file: string,
  ): Promise<Result<InsideEnd | null, Failure>> {
    const { copiesFiles } = this.#client.cli
    const drop = copiesFiles ? newDrop(this.#drops) : null
    const ended = await endInside(this.#client, name, { runId, known, file, drop })
    const inside = ended.ok ? ended.value : null
    if (inside !== null) {
      const arrived = drop === null ? ok(undefined) : await awaitFiles(this.#client, name, drop)
      if (!arrived.ok || inside.left === 0) return arrived.ok ? ok(inside) : arrived
    }
    const stopped = await this.#stop()
    if (!stopped.ok || inside !== null || drop === null) return stopped.ok ? ok(inside) : stopped
    const started = await startMachine(this.#client, name)
    if (!started.ok) return started
    this.#begin(name, template, started.value.known)
    const arrived = await dropAndAwait(this.#client, name, newDrop(this.#drops))
    return arrived.ok ? ok(null) : arrived
  }

  #child(request: ExecRequest, argv: readonly [string, ...string[]], env = this.#client.env) {
    return {
      ...request,
      argv,
      env,
      cwd: '/',
      runId: clientIdOf(request.runId),
      containment: { level: 'tree', reason: 'a client of a virtual machine' } as const,
      secrets: this.#site.secrets,
      grace: clientGrace,
    }
  }
}

/** What the box says of its end, where the client's own end says anything at all. */
function judgeEnd(end: ChildEnd, inside: InsideEnd | null, program: string): Result<ChildEnd, Failure> | 'never-began' {
  const tree = inside?.tree ?? end.tree
  if (end.cause !== 'exited') return ok({ ...end, tree })
  const became = inside?.became ?? { kind: 'cut-off' }
  switch (became.kind) {
    case 'exited':
      return ok({ ...end, ...shellStatus({ exitCode: became.status, signal: null }), tree })
    case 'missing':
      return err({ reason: 'cannot-start', program, code: 'ENOENT' })
    case 'unknown':
      return 'never-began'
    case 'cut-off':
      // An end that nobody saw is no success.
      return ok({ ...end, exitCode: end.exitCode === 0 ? null : end.exitCode, tree })
    default:
      return unreachable(became)
  }
}
