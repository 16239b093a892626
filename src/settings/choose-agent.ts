import type { AgentChoice } from './run-options.ts'
import { agentOfProgram } from './agent-names.ts'
import { defaultAgent } from './defaults.ts'
import type { Settings } from './settings-schema.ts'

/** The `agent` of the settings, complete. A program decides who it is unless the file names the agent as well. */
export function agentOfSettings(agent: Settings['agent'] = {}): AgentChoice {
  const words = commandOf(agent)
  const name = agent.name ?? (words === null ? defaultAgent.name : agentOfProgram(words[0] ?? ''))
  const common = { name, model: agent.model ?? null, format: agent.format ?? defaultAgent.format }
  const args = agent.args ?? []
  if (words === null || name === 'custom') return { ...common, command: words, args }
  const [program = '', ...first] = words
  // A bare name is what the agent's own file looks for anyway.
  const isPlain = !program.includes('/') && agentOfProgram(program) === name
  return { ...common, command: isPlain ? null : [program], args: [...first, ...args] }
}

/** `agent.command` as a list of words; null if there is none. */
export function commandOf(agent: Settings['agent'] = {}): readonly string[] | null {
  const { command } = agent
  if (command === undefined) return null
  return typeof command === 'string' ? [command] : command
}

export interface AgentChange {
  readonly name?: string | undefined
  readonly model?: string | undefined
}

/**
 * Another agent starts anew: a model, a program or an argument of the one before means nothing to it. `command` is what
 * the settings have for a custom one.
 */
export function changeAgent(
  choice: AgentChoice,
  { name, model }: AgentChange,
  command: readonly string[] | null,
): AgentChoice {
  if (name === undefined || name === choice.name) return model === undefined ? choice : { ...choice, model }
  const format = name === 'custom' ? choice.format : defaultAgent.format
  return { ...defaultAgent, name, model: model ?? null, command: name === 'custom' ? command : null, format }
}
