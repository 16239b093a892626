import type { Result } from '../base/result.ts'
import type { Box, Opening } from '../isolation/isolation.ts'
import type { Failure } from '../model/failure.ts'
import type { Referee } from '../git/referee.ts'
import type { RunOptions } from '../settings/run-options.ts'
import { readableFor } from './agent-directories.ts'
import { allowedHosts } from './allowed-hosts.ts'
import type { RunTools } from './run-tools.ts'

/** The box of a run, with the hosts that its agents may reach. */
export function openBox(
  { isolation, agents }: Pick<RunTools, 'isolation' | 'agents'>,
  {
    runId,
    referee,
    options,
    env,
    remark,
  }: {
    readonly runId: string
    readonly referee: Referee
    readonly options: RunOptions
    readonly env: Readonly<Record<string, string | undefined>>
    readonly remark: Opening['remark']
  },
): Promise<Result<Box, Failure>> {
  const { implement, review, 'review-fix': fix } = agents
  const all = [...new Set([implement.agent, fix.agent, review.agent])]
  const { network, allowHosts } = options
  const hosts = allowedHosts({
    network,
    allowHosts,
    agents: all.map((agent) => agent.network),
    env,
    remote: referee.baseline.configuration.remote?.url ?? null,
  })
  return isolation.open({
    runId,
    agents: [implement.agent.name, ...all.slice(1).map(({ name }) => name)],
    hosts,
    readable: isolation.programs === 'host' ? readableFor([implement, fix, review], env) : [],
    remark,
  })
}
