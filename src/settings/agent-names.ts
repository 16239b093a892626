/** Every agent that a command line or a settings file may name. Whether it is built is for the registry of agents to say. */
export const agentNames = [
  'claude',
  'codex',
  'amp',
  'gemini',
  'opencode',
  'qwen',
  'copilot',
  'cursor',
  'pi',
  'droid',
  'script',
  'custom',
] as const

export type AgentName = (typeof agentNames)[number]

export const isAgentName = (name: string): name is AgentName => (agentNames as readonly string[]).includes(name)

/** Programs that are not called like their agent. */
const otherPrograms: Readonly<Record<string, AgentName>> = { 'cursor-agent': 'cursor' }

/** The agent whose program this is, by its base name: `/opt/bin/claude` is Claude Code. What nobody knows is custom. */
export function agentOfProgram(program: string): AgentName {
  const name = program.slice(program.lastIndexOf('/') + 1)
  if (Object.hasOwn(otherPrograms, name)) return otherPrograms[name] ?? 'custom'
  // The demo's agent is no program that one could name.
  return isAgentName(name) && name !== 'script' ? name : 'custom'
}
