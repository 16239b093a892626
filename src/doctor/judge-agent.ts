import type { Agent } from '../agents/agent.ts'
import { visibleLine } from '../base/visible.ts'
import type { FailureText } from '../model/describe-failure.ts'
import type { VersionAnswer } from './ask-version.ts'
import type { AgentFinding } from './finding.ts'
import { judgeVersion } from './judge-version.ts'

/** One agent, and what is known of it without looking. */
export interface AgentQuestion {
  readonly agent: Agent
  /** Whether a run without further words would start it. */
  readonly chosen: boolean
  /** Whether a settings file names its program: an agent can have written that file, so nothing in it is started. */
  readonly named: boolean
  /** Why a run would not start it as things are; null if it would. */
  readonly refusal: FailureText | null
}

/** What was seen of an agent on this machine. */
export type AgentFacts =
  | { readonly missing: string; readonly login: AgentFinding['login'] }
  /** `answer` is null where there is no version to ask for. */
  | { readonly path: string; readonly answer: VersionAnswer | null; readonly login: AgentFinding['login'] }

export function judgeAgent({ agent, chosen, refusal }: AgentQuestion, facts: AgentFacts): AgentFinding {
  const { name, experimental } = agent
  const common = { name, kind: 'agent', experimental, chosen, login: facts.login } as const
  if ('missing' in facts) {
    return { ...common, state: 'missing', path: null, version: null, why: null, fix: facts.missing }
  }
  const path = visibleLine(facts.path)
  const judged = facts.answer === null ? fine : judgeVersion(facts.answer, (version) => agent.badVersion(version))
  if (judged.state === 'old') return { ...common, ...judged, path, fix: `install a newer ${name}` }
  if (judged.state === 'bad') return { ...common, ...judged, path, fix: agent.install }
  if (refusal !== null) {
    return { ...common, ...judged, path, state: 'refused', why: refusal.what, fix: refusal.fix }
  }
  return { ...common, ...judged, path, fix: null }
}

const fine = { state: 'ok', version: null, why: null } as const
