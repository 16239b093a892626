import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { askVersion } from '../doctor/ask-version.ts'
import type { FoundAgents } from './run-agents.ts'

/** Nothing is older, so an agent that takes it takes all: then nobody waits for its answer. */
const oldest = '0.0.0'
const timeoutMs = 20_000

/** Versions of the agents that are known not to work here. One that does not say which it is is given the chance. */
export async function refuseBadVersions(
  agents: FoundAgents,
  env: Readonly<Record<string, string>>,
): Promise<Result<void, Failure>> {
  const programs = new Map(Object.values(agents).map((found) => [found.program.join('\0'), found]))
  for (const { agent, program } of programs.values()) {
    if (agent.versionArgs === null || agent.badVersion(oldest) === null) continue
    const [path, ...first] = program
    const args = [...first, ...agent.versionArgs]
    const answer = await askVersion({ program: path, args, path: env['PATH'] ?? '', home: env['HOME'], timeoutMs })
    const why = answer.kind === 'version' ? agent.badVersion(answer.version) : null
    if (answer.kind === 'version' && why !== null) {
      return err({ reason: 'agent-bad-version', agent: agent.name, version: answer.version, why })
    }
  }
  return ok(undefined)
}
