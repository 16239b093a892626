import type { AgentFinding, Finding } from '../../src/doctor/finding.ts'

const fine = { state: 'ok', path: null, version: null, why: null, fix: null, login: null } as const

/** Something that a run needs, and that is fine unless the test says otherwise. */
export const finding = (name: string, over: Partial<Finding> = {}): Finding => ({
  name,
  kind: 'needed',
  ...fine,
  ...over,
})

/** An agent that nobody has chosen, and that is fine unless the test says otherwise. */
export const agentFinding = (name: string, over: Partial<AgentFinding> = {}): AgentFinding => ({
  name,
  kind: 'agent',
  ...fine,
  experimental: false,
  chosen: false,
  ...over,
})
