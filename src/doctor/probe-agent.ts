import { findProgram } from '../process/find-program.ts'
import { askVersion, type VersionAnswer } from './ask-version.ts'
import type { AgentFinding } from './finding.ts'
import { judgeAgent, type AgentQuestion } from './judge-agent.ts'
import { loginSeen } from './login-seen.ts'
import type { Place } from './probe.ts'
import { notFoundFix, questionIn } from './probe-tool.ts'

export async function probeAgent(question: AgentQuestion, place: Place): Promise<AgentFinding> {
  const { agent, named } = question
  // The demo's is part of this very program.
  if (agent.program === null) return judgeAgent(question, { path: place.node.path, answer: null, login: null })
  const found = findProgram(agent.program, place.places)
  const login = loginSeen(agent, place.env)
  if (!found.ok) return judgeAgent(question, { missing: notFoundFix(found.error.fix, agent.install), login })
  const { versionArgs } = agent
  const answer: VersionAnswer =
    named || versionArgs === null
      ? { kind: 'not-asked' }
      : await askVersion({ program: found.value, args: versionArgs, ...questionIn(place) })
  return judgeAgent(question, { path: found.value, answer, login })
}
