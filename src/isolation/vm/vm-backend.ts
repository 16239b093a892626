import { err, ok, type Result } from '../../base/result.ts'
import type { Failure } from '../../model/failure.ts'
import { endRun, type TreeEnd } from '../../process/end-tree.ts'
import { findProgram } from '../../process/find-program.ts'
import type { Backend, Box, Isolation, Opening, Site } from '../isolation.ts'
import { awaitFiles, dropPaths, newDrop, takeDropsAway } from './await-files.ts'
import type { ListedBox } from './box-list.ts'
import { boxPrefix } from './box-name.ts'
import { vmClient, type VmClient } from './client.ts'
import { endInside } from './end-inside.ts'
import { isNamed, listBoxes, removeMachine, stopMachine } from './machine.ts'
import { planFor } from './plan-for.ts'
import { isMissing, probeVm } from './probe.ts'
import { clientIdOf, VmBox } from './vm-box.ts'
import { vmFailure } from './vm-failure.ts'
import type { VmCli } from './vm-cli.ts'
import { outerGitDirs, unmountable, workspacesOf } from './workspaces.ts'

const clientGrace = { termMs: 1000, killMs: 3000 }

/** A virtual machine for each project, made and entered by one of Docker's command lines. */
export const vmBackend = (cli: VmCli): Backend => ({
  name: cli.name,
  async probe(site) {
    const client = await probeVm(cli, site)
    return client.ok ? ok(vmIsolation(client.value, site)) : client
  },
  async remove(site) {
    const program = findProgram(cli.program, site.places)
    return program.ok ? removeBoxes(vmClient(cli, program.value, site), site) : ok([])
  },
})

function vmIsolation(client: VmClient, site: Site): Isolation {
  return {
    name: client.cli.name,
    boxed: true,
    programs: 'box',
    description: `a virtual machine (${client.cli.typed}): of this machine the agent sees the project and nothing else`,
    open: (opening) => openVm(client, site, opening),
    endAll: (runId) => endAll(client, site, runId),
  }
}

async function openVm(client: VmClient, site: Site, opening: Opening): Promise<Result<Box, Failure>> {
  const odd = unmountable(workspacesOf(site, client.cli))
  if (odd !== null) {
    const why = `${client.cli.typed} would take the end of ${odd} for an option.`
    return err({ reason: 'isolation-unavailable', why, fix: 'Give the directory another name.' })
  }
  const cleared = await clear(client, site, opening)
  if (!cleared.ok) return cleared
  const box = new VmBox(client, site, opening)
  const ready = await box.open(cleared.value)
  return ready.ok ? ok(box) : ready
}

/** Boxes of earlier runs are stopped, so that no daemon of then is in them; those that are made otherwise now are removed. The rest. */
async function clear(client: VmClient, site: Site, opening: Opening): Promise<Result<readonly ListedBox[], Failure>> {
  const boxes = await ownBoxes(client, site)
  if (!boxes.ok) return boxes
  const kept: ListedBox[] = []
  const wanted = opening.agents.map((agent) => planFor(client, site, opening, agent).name)
  for (const box of boxes.value) {
    const isWanted = wanted.some((other) => isNamed(box.name, other))
    const done = await (isWanted ? stopMachine(client, box.name) : removeMachine(client, box.name))
    if (!done.ok) return done
    if (isWanted) kept.push(box)
  }
  return ok(kept)
}

async function ownBoxes(client: VmClient, { project }: Site) {
  const boxes = await listBoxes(client)
  return boxes.ok ? ok(boxes.value.filter(({ name }) => name.startsWith(boxPrefix(project)))) : boxes
}

/** The clients of a run that was killed, then what they had started. What hides from its id ends with the box. */
async function endAll(client: VmClient, site: Site, runId: string): Promise<TreeEnd> {
  const clients = await endRun(clientIdOf(runId), clientGrace)
  const boxes = await ownBoxes(client, site)
  let { ended, killed } = clients
  for (const { name, status } of boxes.ok ? boxes.value : []) {
    if (status === 'running') {
      const drop = client.cli.copiesFiles ? newDrop(dropPaths([site.project, ...outerGitDirs(site)])) : null
      const inside = await endInside(client, name, { runId, known: '', file: '', drop })
      ended += inside.ok ? (inside.value?.tree.ended ?? 0) : 0
      killed += inside.ok ? (inside.value?.tree.killed ?? 0) : 0
      // What it wrote before its end is to be judged.
      if (inside.ok && drop !== null) {
        await awaitFiles(client, name, drop)
        await takeDropsAway(client, name, drop.paths)
      }
    }
    // `open` does it again, and says why it cannot be done.
    await stopMachine(client, name)
  }
  return { ended, killed, survivors: clients.survivors }
}

async function removeBoxes(client: VmClient, site: Site): Promise<Result<readonly string[], Failure>> {
  const boxes = await client.list()
  if (!boxes.ok) return (await isMissing(client)) ? ok([]) : err(vmFailure(client, 'list its sandboxes', boxes.error))
  const removed: string[] = []
  for (const { name } of boxes.value.filter((box) => box.name.startsWith(boxPrefix(site.project)))) {
    const done = await removeMachine(client, name)
    if (!done.ok) return done
    removed.push(name)
  }
  return ok(removed)
}
