import { err, ok, type Result } from '../base/result.ts'
import type { Agent } from './agent.ts'
import { claude } from './claude.ts'
import { codex } from './codex.ts'
import { customAgent, type StreamFormat } from './custom.ts'
import { script } from './script.ts'

/** Who is to work, as the settings have it. */
export interface ChosenAgent {
  readonly name: string
  /** The program and its first arguments: needed for `custom`, in place of the usual program for others. */
  readonly command: readonly string[] | null
  readonly format: StreamFormat
}

/** Why there is no such agent. */
export type AgentProblem =
  /** A name that nobody has; `known` are those that somebody has. */
  | { readonly reason: 'unknown-agent'; readonly name: string; readonly known: readonly string[] }
  /** A name of the contract whose agent comes later. */
  | { readonly reason: 'agent-not-built'; readonly name: string }
  /** `custom` without a command. */
  | { readonly reason: 'no-agent-command' }

/** Every agent that has a file here; `custom` is made from the settings. */
export const builtAgents: readonly Agent[] = [claude, codex, script]

const built: ReadonlyMap<string, Agent> = new Map(builtAgents.map((agent) => [agent.name, agent]))

const notBuilt = ['amp', 'gemini', 'opencode', 'qwen', 'copilot', 'cursor', 'pi', 'droid']

/** Every name that `--agent` takes or will take. */
export const agentNames: readonly string[] = ['claude', 'codex', ...notBuilt, 'script', 'custom']

export function findAgent({ name, command, format }: ChosenAgent): Result<Agent, AgentProblem> {
  const [program, ...args] = command ?? []
  if (name === 'custom') {
    return program === undefined ? err({ reason: 'no-agent-command' }) : ok(customAgent([program, ...args], format))
  }
  const agent = built.get(name)
  if (agent !== undefined) return ok(program === undefined ? agent : startedAs(agent, program, args))
  if (notBuilt.includes(name)) return err({ reason: 'agent-not-built', name })
  return err({ reason: 'unknown-agent', name, known: agentNames })
}

/** A known agent under a path or with first arguments of the user's. */
function startedAs(agent: Agent, program: string, args: readonly string[]): Agent {
  return {
    ...agent,
    program,
    command: (request) => {
      const command = agent.command(request)
      return { ...command, args: [...args, ...command.args] }
    },
  }
}
