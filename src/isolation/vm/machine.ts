import { err, ok, type Result } from '../../base/result.ts'
import type { Failure } from '../../model/failure.ts'
import { askBox } from './ask-box.ts'
import { jsonAfterBanner, type ListedBox } from './box-list.ts'
import { lastWords, type VmClient } from './client.ts'
import { isObject } from '../../base/json.ts'
import { visibleLine } from '../../base/visible.ts'
import { loginScript, setupScript, startScript } from './inside.ts'
import { vmFailure } from './vm-failure.ts'

/** What is wanted of a box. */
export interface MachinePlan {
  readonly template: string
  /** A name that is held by nobody (a fault of sbx) is followed by -2, -3. */
  readonly name: string
  readonly workspaces: readonly string[]
  readonly hosts: readonly string[] | null
  readonly gitDirs: readonly string[]
  /** Ours, with the login; null if the box has its own. */
  readonly auth: string | null
  remark(text: string): void
}

/** The first time, an image is fetched. */
const createMs = 15 * 60_000
const stopMs = 60_000
/** A host that nobody has, and nobody allows. */
const strayHost = 'ralph-probe.invalid'

/** Whether a listed name is the wanted one, or stands in for it. */
export const isNamed = (name: string, wanted: string): boolean =>
  name === wanted || (name.startsWith(`${wanted}-`) && /^[23]$/.test(name.slice(wanted.length + 1)))

export async function listBoxes(client: VmClient): Promise<Result<readonly ListedBox[], Failure>> {
  const boxes = await client.list()
  return boxes.ok ? boxes : err(vmFailure(client, 'list its sandboxes', boxes.error))
}

/** Makes a box and everything in it that is ours; its name. One that was left half made is taken away first by the caller. */
export async function makeMachine(client: VmClient, plan: MachinePlan): Promise<Result<string, Failure>> {
  const made = await create(client, plan)
  if (!made.ok) return made
  const name = made.value
  const network = client.cli.network(name, plan.hosts)
  const rules = network === null ? null : await client.call(network)
  if (rules !== null && rules.exitCode !== 0) return err(vmFailure(client, 'limit the network', rules))
  const closed = await ensureClosed(client, plan, name)
  if (!closed.ok) return closed
  if (plan.auth !== null) {
    const linked = await askBox(client, name, { script: loginScript, args: [plan.auth], asRoot: true })
    if (!linked.ok) return err(vmFailure(client, `set up the sandbox ${name}`, linked.error))
  }
  const setUp = await askBox(client, name, { script: setupScript, args: plan.gitDirs })
  return setUp.ok ? ok(name) : err(vmFailure(client, `set up the sandbox ${name}`, setUp.error))
}

/** Whether it is there only the list says. */
async function create(client: VmClient, plan: MachinePlan): Promise<Result<string, Failure>> {
  const { cli } = client
  const { template, workspaces } = plan
  for (const name of [plan.name, `${plan.name}-2`, `${plan.name}-3`]) {
    const answer = await client.call(['create', '--name', name, template, ...workspaces], { timeoutMs: createMs })
    const boxes = await listBoxes(client)
    if (!boxes.ok) return boxes
    if (boxes.value.some((box) => box.name === name)) return ok(name)
    if (answer.timedOut) return err({ reason: 'isolation-unavailable', ...cli.whenPolicyMissing })
    if (!/already exists/i.test(answer.stdout + answer.stderr))
      return err(vmFailure(client, `make the sandbox ${name}`, answer))
    plan.remark(
      `${cli.typed} still holds the name ${name} of a sandbox that is gone (a known fault of it, docker/sbx-releases#129): another name is taken.`,
    )
  }
  return err({
    reason: 'isolation-unavailable',
    why: `${cli.typed} holds all names for this project's sandbox, and lists none of them (docker/sbx-releases#129).`,
    fix: `"${cli.typed} reset" frees them; it removes all your sandboxes.`,
  })
}

/** Rules that allow some hosts keep nobody away from the others, where everything else is allowed anyhow. */
async function ensureClosed(client: VmClient, plan: MachinePlan, name: string): Promise<Result<void, Failure>> {
  const { cli } = client
  const question = plan.hosts === null ? null : cli.strayHostQuestion(name, strayHost)
  if (question === null) return ok(undefined)
  const answer = await client.call(question)
  const json = jsonAfterBanner(answer.stdout)
  const allowed = isObject(json) ? json['allowed'] : null
  if (allowed === true) {
    return err({
      reason: 'isolation-unavailable',
      why: `${cli.typed} lets every sandbox reach every host, so Ralph cannot keep this one to its list.`,
      fix: 'Run: sbx policy reset, sbx policy init deny-all. Or set isolation.network to "open".',
    })
  }
  if (allowed !== false)
    plan.remark(`${cli.typed} does not say whether other hosts are blocked: ${visibleLine(lastWords(answer), 200)}`)
  return ok(undefined)
}

export interface StartedMachine {
  /** Its processes before anything of ours ran in it. */
  readonly known: string
  /** Whether its setup came to an end. */
  readonly ready: boolean
}

/** Starts a box, if it does not run, and writes down what runs in it. */
export async function startMachine(client: VmClient, name: string): Promise<Result<StartedMachine, Failure>> {
  const question = { script: startScript, timeoutMs: 180_000 }
  let said = await askBox(client, name, question)
  const start = client.cli.start(name)
  if (!said.ok && start !== null) {
    await client.call(start, { timeoutMs: 180_000 })
    said = await askBox(client, name, question)
  }
  if (!said.ok) return err(vmFailure(client, `start the sandbox ${name}`, said.error))
  const [state, ...known] = said.value.split(' ')
  return ok({ known: known.join(' '), ready: state === 'ready' })
}

/** Everything in it ends. The list may be stale, so it is told in any case. */
export async function stopMachine(client: VmClient, name: string): Promise<Result<void, Failure>> {
  const answer = await client.call(['stop', name], { timeoutMs: stopMs })
  if (answer.exitCode === 0) return ok(undefined)
  const boxes = await listBoxes(client)
  if (!boxes.ok) return boxes
  const runs = boxes.value.some((box) => box.name === name && box.status === 'running')
  return runs ? err(vmFailure(client, `stop the sandbox ${name}`, answer)) : ok(undefined)
}

export async function removeMachine(client: VmClient, name: string): Promise<Result<void, Failure>> {
  const answer = await client.call(client.cli.remove(name), { timeoutMs: stopMs })
  const boxes = await listBoxes(client)
  if (!boxes.ok) return boxes
  const isThere = boxes.value.some((box) => box.name === name)
  return isThere ? err(vmFailure(client, `remove the sandbox ${name}`, answer)) : ok(undefined)
}
