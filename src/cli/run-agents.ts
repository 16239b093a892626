import type { Agent } from '../agents/agent.ts'
import { findAgent, type AgentProblem } from '../agents/registry.ts'
import { nearest } from '../base/nearest.ts'
import { err, ok, type Result } from '../base/result.ts'
import { unreachable } from '../base/unreachable.ts'
import { visibleLine } from '../base/visible.ts'
import type { Isolation } from '../isolation/isolation.ts'
import type { Failure } from '../model/failure.ts'
import type { IterationMode } from '../model/story.ts'
import { findProgram, type SearchPlaces } from '../process/find-program.ts'
import type { AgentChoice, RunOptions } from '../settings/run-options.ts'
import { ralphInBox, ralphItself } from './ralph-itself.ts'

/** An agent of the options, found on this machine. */
export interface FoundAgent {
  readonly agent: Agent
  readonly choice: AgentChoice
  /** The program by its absolute path (in a box with programs of its own by its name), and arguments that belong to it. */
  readonly program: readonly [string, ...string[]]
}

export type FoundAgents = Readonly<Record<IterationMode, FoundAgent>>

/** Who works in each mode; all that could keep one of them from working is said before anything changes. */
export function findAgents(
  options: RunOptions,
  { places, isolation, isRoot }: { places: SearchPlaces; isolation: Isolation; isRoot: boolean },
): Result<FoundAgents, Failure> {
  const find = (choice: AgentChoice) => findOne(choice, options, { places, isolation, isRoot })
  const { agents } = options
  const implement = find(agents.implement)
  if (!implement.ok) return implement
  const fix = find(agents.reviewFix)
  if (!fix.ok) return fix
  // Nobody needs a reviewer where nothing is reviewed.
  const review = options.skipReview ? implement : find(agents.review)
  if (!review.ok) return review
  return ok({ implement: implement.value, review: review.value, 'review-fix': fix.value })
}

function findOne(
  choice: AgentChoice,
  { maxCostUsd, maxTokens, isolation: asked }: RunOptions,
  { places, isolation, isRoot }: { places: SearchPlaces; isolation: Isolation; isRoot: boolean },
): Result<FoundAgent, Failure> {
  const found = findAgent(choice)
  if (!found.ok) return err(describeProblem(found.error))
  const agent = found.value
  if (maxCostUsd !== null && !agent.reportsCost) {
    const fix = agent.reportsTokens ? 'Use --max-tokens instead.' : 'Use --max-time or --max-iterations instead.'
    return err({
      reason: 'usage',
      message: `${agent.name} does not say what it costs: --max-cost cannot be kept.`,
      fix,
    })
  }
  if (maxTokens !== null && !agent.reportsTokens) {
    const fix = 'Use --max-time or --max-iterations instead.'
    return err({
      reason: 'usage',
      message: `${agent.name} does not say how many tokens it uses: --max-tokens cannot be kept.`,
      fix,
    })
  }
  if (agent.refusesRoot && isRoot && !isolation.boxed) return err({ reason: 'agent-refuses-root', agent: agent.name })
  // Who asks for no box has decided; who does not care gets no agent that can do anything here.
  if (agent.directly === null && !isolation.boxed && asked === 'auto') return err(unguarded(agent))
  const { programs } = isolation
  if (agent.program === null) return ok({ agent, choice, program: programs === 'host' ? ralphItself() : ralphInBox() })
  if (programs === 'box') return ok({ agent, choice, program: [agent.program] })
  const program = findProgram(agent.program, places)
  if (program.ok) return ok({ agent, choice, program: [program.value] })
  const { fix } = program.error
  return err({ ...program.error, fix: fix.startsWith('Install') ? sentence(agent.install) : fix })
}

const unguarded = ({ name }: Agent): Failure => ({
  reason: 'isolation-unavailable',
  why: `There is no box here, and ${name} has neither hooks of Ralph's nor a sandbox of its own.`,
  fix: `Install a sandbox, or, if you trust ${name} with this machine, run it directly: --no-sandbox.`,
})

const sentence = (phrase: string): string => `${phrase.slice(0, 1).toUpperCase()}${phrase.slice(1)}.`

function describeProblem(problem: AgentProblem): Failure {
  switch (problem.reason) {
    case 'unknown-agent': {
      const near = nearest(problem.name, problem.known)
      const fix = near === null ? `There are ${problem.known.join(', ')}.` : `The nearest is "${near}".`
      return { reason: 'usage', message: `There is no agent "${visibleLine(problem.name, 64)}".`, fix }
    }
    case 'no-agent-command':
      return {
        reason: 'usage',
        message: 'The agent "custom" needs a program.',
        fix: 'Set agent.command in .ralph/settings.json.',
      }
    default:
      return unreachable(problem)
  }
}
