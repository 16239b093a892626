import { sameJson } from '../base/json.ts'
import { changeAgent } from './choose-agent.ts'
import { isNamedBackend } from './options-from-settings.ts'
import type { AgentChoice, IsolationChoice, RunOptions } from './run-options.ts'

/** What flags or the environment say, each only if it was said. */
export interface Overrides extends Partial<
  Omit<RunOptions, 'agents' | 'checks' | 'env' | 'isolation' | 'protectedPaths' | 'requireSandbox'>
> {
  /** Beside those of the settings: a flag must not switch off what the project always wants to hold. */
  readonly addChecks?: readonly string[]
  readonly agentName?: string
  readonly model?: string
  readonly addArgs?: readonly string[]
  readonly reviewAgent?: string
  readonly reviewModel?: string
  readonly isolation?: IsolationChoice
  /** `--sandbox` and `--no-sandbox`. */
  readonly sandbox?: boolean
}

/** The options that these overrides change, with their new values; a shallow merge over `base` applies them. */
export function applyOverrides(
  base: RunOptions,
  overrides: Overrides,
  command: readonly string[] | null,
): Partial<RunOptions> {
  const {
    addChecks = [],
    agentName,
    model,
    addArgs = [],
    reviewAgent,
    reviewModel,
    isolation,
    sandbox,
    ...plain
  } = overrides
  const aboutAgents = [agentName, model, reviewAgent, reviewModel].some((said) => said !== undefined)
  return {
    ...plain,
    ...(addChecks.length === 0 ? {} : { checks: withChecks(base.checks, addChecks) }),
    ...(aboutAgents || addArgs.length > 0 ? { agents: changeAgents(base.agents, overrides, command) } : {}),
    ...changeIsolation(base.isolation, isolation, sandbox),
  }
}

/** Each command once: who resumes a run often types the same line again. */
function withChecks(checks: RunOptions['checks'], more: readonly string[]): RunOptions['checks'] {
  const known = new Set(checks.map(({ command }) => command))
  const fresh = [...new Set(more)].filter((command) => !known.has(command))
  return [...checks, ...fresh.map((command) => ({ command, failAction: null, hint: null, timeoutMs: null }))]
}

function changeAgents(
  agents: RunOptions['agents'],
  { agentName, model, addArgs = [], reviewAgent, reviewModel }: Overrides,
  command: readonly string[] | null,
): RunOptions['agents'] {
  const author = (choice: AgentChoice) => changeAgent(choice, { name: agentName, model }, command)
  const implement = author(agents.implement)
  // The reviewer is the author unless somebody said otherwise.
  const isOther = !sameJson(agents.review, agents.implement)
  const reviewer = isOther ? agents.review : author(agents.review)
  const review = changeAgent(reviewer, { name: reviewAgent, model: reviewModel }, command)
  const withArgs = (choice: AgentChoice): AgentChoice => {
    const isThere = sameJson(choice.args.slice(-addArgs.length), addArgs)
    return isThere || choice.name !== implement.name ? choice : { ...choice, args: [...choice.args, ...addArgs] }
  }
  return { implement: withArgs(implement), review: withArgs(review), reviewFix: withArgs(author(agents.reviewFix)) }
}

function changeIsolation(
  before: IsolationChoice,
  named: IsolationChoice | undefined,
  sandbox: boolean | undefined,
): Partial<Pick<RunOptions, 'isolation' | 'requireSandbox'>> {
  if (sandbox === false) return { isolation: 'none', requireSandbox: false }
  if (sandbox === true) {
    return { isolation: named ?? (before === 'none' ? 'auto' : before), requireSandbox: true }
  }
  return named === undefined ? {} : { isolation: named, requireSandbox: isNamedBackend(named) }
}
