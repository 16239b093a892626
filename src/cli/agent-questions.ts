import { builtAgents, findAgent } from '../agents/registry.ts'
import type { AgentQuestion } from '../doctor/judge-agent.ts'
import type { Isolation } from '../isolation/isolation.ts'
import { describeFailure, type FailureText } from '../model/describe-failure.ts'
import type { SearchPlaces } from '../process/find-program.ts'
import { defaultAgent } from '../settings/defaults.ts'
import type { AgentChoice, RunOptions } from '../settings/run-options.ts'
import { findAgents } from './run-agents.ts'
import { isRootOutside } from './run-tools.ts'

/** What decides whether a run would start an agent. */
interface Ground {
  readonly places: SearchPlaces
  readonly isolation: Isolation
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Every agent there is, those of the settings as the settings have them. */
export function agentQuestions(options: RunOptions, ground: Ground): AgentQuestion[] {
  const choices = choicesOf(options)
  const known = builtAgents.filter(({ program }) => program !== null).map(({ name }) => name)
  const named = [...known, 'custom', 'script'].flatMap((name) => {
    const own = choices.filter((choice) => choice.name === name)
    if (own.length > 0) return own.map((choice) => ({ choice, chosen: true }))
    return known.includes(name) ? [{ choice: { ...defaultAgent, name }, chosen: false }] : []
  })
  return named.flatMap(({ choice, chosen }) => {
    const agent = findAgent(choice)
    if (!agent.ok) return []
    const refusal = refusalOf(choice, options, ground)
    return [{ agent: agent.value, chosen, named: choice.command !== null, refusal }]
  })
}

/** Each agent of the options once, whatever model it is to use. */
function choicesOf({ agents, skipReview }: RunOptions): AgentChoice[] {
  const { implement, review, reviewFix } = agents
  const used = skipReview ? [implement, reviewFix] : [implement, review, reviewFix]
  return [...new Map(used.map((choice) => [JSON.stringify([choice.name, choice.command]), choice])).values()]
}

function refusalOf(choice: AgentChoice, options: RunOptions, { places, isolation, env }: Ground): FailureText | null {
  const agents = { implement: choice, review: choice, reviewFix: choice }
  const found = findAgents({ ...options, agents }, { places, isolation, isRoot: isRootOutside(env) })
  return found.ok ? null : describeFailure(found.error)
}
