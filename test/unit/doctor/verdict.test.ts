import { describe, expect, it } from 'vitest'
import type { AgentFinding, Finding } from '../../../src/doctor/finding.ts'
import { judge } from '../../../src/doctor/verdict.ts'
import { agentFinding, finding } from '../../support/findings.ts'

const verdict = (findings: readonly Finding[], agents: readonly AgentFinding[]) =>
  judge({ findings, agents, problems: [], agentsInBox: false })

const chosen = agentFinding('claude', { chosen: true })

describe('a run can work', () => {
  it('with what it needs and the agent that it would start', () => {
    expect(verdict([finding('git')], [chosen])).toEqual({
      canRun: true,
      problems: [],
      instead: [],
      withoutLogin: [],
    })
  })

  it('with an agent that did not say its version: a run gives it the chance', () => {
    expect(verdict([], [agentFinding('claude', { chosen: true, state: 'unknown' })]).canRun).toBe(true)
  })

  it.each(['missing', 'old', 'bad', 'refused'] as const)('while other agents and useful things are %s', (state) => {
    const useful = finding('gh', { kind: 'useful', state })
    expect(verdict([useful], [chosen, agentFinding('codex', { state })]).canRun).toBe(true)
  })

  it.each(['missing', 'old', 'bad'] as const)('with an agent that is %s here, where the box has its own', (state) => {
    const agents = [agentFinding('claude', { chosen: true, state })]
    expect(judge({ findings: [], agents, problems: [], agentsInBox: true }).canRun).toBe(true)
  })

  it('without a login that can be seen, which is said', () => {
    const agents = [
      agentFinding('claude', { chosen: true, login: 'not-seen' }),
      agentFinding('codex', { login: 'not-seen' }),
    ]
    expect(verdict([], agents)).toMatchObject({ canRun: true, withoutLogin: ['claude'] })
  })
})

describe('a run cannot work', () => {
  it.each(['missing', 'old', 'bad'] as const)('while something that it needs is %s', (state) => {
    const { canRun, problems } = verdict([finding('git', { state, why: 'of old age', fix: 'install git' })], [chosen])
    expect(canRun).toBe(false)
    expect(problems).toEqual([{ what: expect.stringContaining('git') as string, fix: 'Install git.' }])
  })

  it.each(['missing', 'old', 'bad', 'refused'] as const)('while its agent is %s; another is named', (state) => {
    const agents = [
      agentFinding('claude', { chosen: true, state, why: 'claude is tired.' }),
      agentFinding('amp', { experimental: true }),
      agentFinding('gemini', { state: 'refused' }),
      agentFinding('codex'),
    ]
    const { canRun, problems, instead } = verdict([], agents)
    expect({ canRun, instead }).toEqual({ canRun: false, instead: ['codex'] })
    expect(problems.map(({ what }) => what.includes('claude'))).toEqual([true])
  })

  it('with an agent that a run would not start, whatever the box has', () => {
    const agents = [agentFinding('claude', { chosen: true, state: 'refused', why: 'No.' })]
    expect(judge({ findings: [], agents, problems: [], agentsInBox: true }).canRun).toBe(false)
  })

  it('with one of several agents; every problem is named at once', () => {
    const agents = [chosen, agentFinding('codex', { chosen: true, state: 'missing' })]
    const git = finding('git', { state: 'missing' })
    const problems = [{ what: 'The settings are wrong.', fix: 'Correct them.' }]
    const found = judge({ findings: [git], agents: [...agents, agentFinding('pi')], problems, agentsInBox: false })
    expect(found.problems.map(({ what }) => what.split(' ')[0])).toEqual(['The', 'git', 'codex'])
    // Another agent would not help.
    expect(found.instead).toEqual([])
  })
})
