import { unreachable } from '../base/unreachable.ts'
import type { FailureText } from '../model/describe-failure.ts'
import type { AgentFinding, Finding } from './finding.ts'

export interface Facts {
  readonly findings: readonly Finding[]
  readonly agents: readonly AgentFinding[]
  /** What a run would say of the settings and of this project, before it looks for a program. */
  readonly problems: readonly FailureText[]
  /** Agents are those of the box: what this machine has of them does not matter. */
  readonly agentsInBox: boolean
}

/** Whether `ralph run` can work here. */
export interface Verdict {
  readonly canRun: boolean
  /** What keeps it from working, each with what helps. */
  readonly problems: readonly FailureText[]
  /** Agents that would work where only the chosen one does not. */
  readonly instead: readonly string[]
  /** Agents that a run would start and that nobody seems to have logged in with. */
  readonly withoutLogin: readonly string[]
}

export function judge({ findings, agents, problems, agentsInBox }: Facts): Verdict {
  const chosen = agents.filter((agent) => agent.chosen)
  const troubled = chosen.filter(({ state }) => !agentsInBox || state === 'refused')
  const ground = [...problems, ...findings.filter(({ kind }) => kind === 'needed').flatMap(problemOf)]
  const all = [...ground, ...troubled.flatMap(problemOf)]
  const others = agents.filter((agent) => !agent.chosen && !agent.experimental && problemOf(agent).length === 0)
  const isAgentsFault = ground.length === 0 && all.length > 0
  return {
    canRun: all.length === 0,
    problems: all,
    instead: isAgentsFault ? others.map(({ name }) => name) : [],
    withoutLogin: chosen.filter(({ login }) => login === 'not-seen').map(({ name }) => name),
  }
}

function problemOf({ name, state, version, why, fix }: Finding): readonly FailureText[] {
  const helps = fix === null ? '' : sentence(fix)
  switch (state) {
    case 'ok':
    case 'unknown':
      return []
    case 'missing':
      return [{ what: `${name} was not found (nothing inside the project counts).`, fix: helps }]
    case 'refused':
      return [{ what: why ?? `${name} would not be started.`, fix: helps }]
    case 'old':
    case 'bad': {
      const what = version === null ? `${name}:` : `${name} ${version} does not work here:`
      return [{ what: `${what} ${why ?? 'nobody knows why'}`.replace(/\.?$/, '.'), fix: helps }]
    }
    default:
      return unreachable(state)
  }
}

const sentence = (phrase: string): string =>
  `${phrase.slice(0, 1).toUpperCase()}${phrase.slice(1)}`.replace(/(?<![.?!])$/, '.')
