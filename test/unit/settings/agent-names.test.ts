import { expect, it } from 'vitest'
import { agentNames as registered } from '../../../src/agents/registry.ts'
import { agentNames, agentOfProgram } from '../../../src/settings/agent-names.ts'

it.each([
  ['claude', 'claude'],
  ['/opt/tools/bin/codex', 'codex'],
  ['/usr/bin/cursor-agent', 'cursor'],
  ['/usr/bin/my-agent', 'custom'],
  ['claude.sh', 'custom'],
  ['toString', 'custom'],
  ['script', 'custom'],
])('the program %s is the agent %s', (program, agent) => {
  expect(agentOfProgram(program)).toBe(agent)
})

it('are the names that the registry of agents knows', () => {
  expect([...agentNames].toSorted()).toEqual([...registered].toSorted())
})
