import { versionIn } from '../agents/compare-versions.ts'
import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { runProgram } from '../process/run-program.ts'
import type { FoundAgents, FoundAgent } from './run-agents.ts'

/** Nothing is older, so an agent that takes it takes all: then nobody waits for its answer. */
const oldest = '0.0.0'

/** Versions of the agents that are known not to work here. One that does not say which it is is given the chance. */
export async function refuseBadVersions(
  agents: FoundAgents,
  env: Readonly<Record<string, string>>,
): Promise<Result<void, Failure>> {
  const programs = new Map(Object.values(agents).map((found) => [found.program.join('\0'), found]))
  for (const { agent, program } of programs.values()) {
    if (agent.versionArgs === null || agent.badVersion(oldest) === null) continue
    const version = await versionOf(program, agent.versionArgs, env)
    const why = version === null ? null : agent.badVersion(version)
    if (version !== null && why !== null) return err({ reason: 'agent-bad-version', agent: agent.name, version, why })
  }
  return ok(undefined)
}

async function versionOf(
  [program, ...first]: FoundAgent['program'],
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string | null> {
  // Not in the project, whose files are an agent's.
  const ran = await runProgram({ program, args: [...first, ...args], cwd: '/', env, timeoutMs: 20_000 })
  return ran.ok && ran.value.end === 'exited' && ran.value.exitCode === 0
    ? versionIn(ran.value.stdout.toString('utf8'))
    : null
}
