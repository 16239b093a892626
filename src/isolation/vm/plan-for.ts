import type { Opening, Site } from '../isolation.ts'
import { boxName } from './box-name.ts'
import type { VmClient } from './client.ts'
import type { MachinePlan } from './machine.ts'
import { authDirectory, outerGitDirs, workspacesOf } from './workspaces.ts'

/** Another setup makes other boxes. */
const setup = 1

/** The box for an agent: the template is fixed when it is made, and agents that have none get a plain one. */
export function planFor(
  { cli }: VmClient,
  site: Site,
  { hosts, remark }: Pick<Opening, 'hosts' | 'remark'>,
  agent: string | { readonly template: string },
): MachinePlan {
  const named = typeof agent === 'string' ? agent : agent.template
  const template = cli.templates.includes(named) ? named : 'shell'
  const workspaces = workspacesOf(site, cli)
  const sorted = hosts === null ? null : [...new Set(hosts)].toSorted()
  return {
    template,
    name: boxName(site.project, { template, workspaces, hosts: sorted, setup }),
    workspaces,
    hosts: sorted,
    gitDirs: [site.project, ...outerGitDirs(site)],
    auth: cli.keepsLogin ? authDirectory(site) : null,
    remark,
  }
}
