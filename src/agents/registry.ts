import { err, ok, type Result } from '../base/result.ts'
import type { Agent } from './agent.ts'
import { amp } from './amp.ts'
import { claude } from './claude.ts'
import { codex } from './codex.ts'
import { copilot } from './copilot.ts'
import { cursor } from './cursor.ts'
import { customAgent, type StreamFormat } from './custom.ts'
import { droid } from './droid.ts'
import { gemini } from './gemini.ts'
import { opencode } from './opencode.ts'
import { pi } from './pi.ts'
import { qwen } from './qwen.ts'
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
  /** `custom` without a command. */
  | { readonly reason: 'no-agent-command' }

/** Every agent that has a file here; `custom` is made from the settings. */
export const builtAgents: readonly Agent[] = [
  claude,
  codex,
  amp,
  gemini,
  opencode,
  qwen,
  copilot,
  cursor,
  pi,
  droid,
  script,
]

const built: ReadonlyMap<string, Agent> = new Map(builtAgents.map((agent) => [agent.name, agent]))

/** Every name that `--agent` takes. */
export const agentNames: readonly string[] = [...built.keys(), 'custom']

export function findAgent({ name, command, format }: ChosenAgent): Result<Agent, AgentProblem> {
  const [program, ...args] = command ?? []
  if (name === 'custom') {
    return program === undefined ? err({ reason: 'no-agent-command' }) : ok(customAgent([program, ...args], format))
  }
  const agent = built.get(name)
  if (agent !== undefined) return ok(program === undefined ? agent : startedAs(agent, program, args))
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
