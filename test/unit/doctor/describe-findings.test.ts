import { describe, expect, it } from 'vitest'
import { describeFindings, type Workers } from '../../../src/doctor/describe-findings.ts'
import type { AgentFinding, BoxFinding, Finding } from '../../../src/doctor/finding.ts'
import { judge } from '../../../src/doctor/verdict.ts'
import { agentFinding, finding } from '../../support/findings.ts'

const onlyClaude: Workers = { implement: 'claude', review: 'claude', reviewFix: 'claude' }

function describeAll(
  findings: readonly Finding[],
  agents: readonly AgentFinding[],
  { workers = onlyClaude, boxes = [] }: { workers?: Workers; boxes?: readonly BoxFinding[] } = {},
): string[] {
  const verdict = judge({ findings, agents, problems: [], agentsInBox: false })
  return describeFindings({ findings, agents, boxes, verdict, workers })
}

const claude = agentFinding('claude', { chosen: true, version: '2.1.325', login: 'seen', path: '/bin/claude' })

it('is a table with a line for each, and the answer below', () => {
  const findings = [
    finding('git', { version: '2.39.5', path: '/bin/git' }),
    finding('shell', { path: '/bin/bash' }),
    finding('gh', { kind: 'useful', state: 'missing', why: 'pull requests', fix: 'https://cli.github.com' }),
  ]
  const agents = [
    claude,
    agentFinding('codex', { state: 'old', version: '0.100.0', why: 'it cannot commit', fix: 'install a newer codex' }),
    agentFinding('amp', { state: 'missing', experimental: true, fix: 'install Amp' }),
  ]
  const boxes: BoxFinding[] = [
    {
      ...finding('os', { state: 'missing', why: 'srt was not found.', fix: 'Install srt.' }),
      kind: 'box',
      chosen: false,
    },
    { ...finding('none', { why: 'no box' }), kind: 'box', chosen: true },
  ]
  expect(describeAll(findings, agents, { boxes })).toEqual([
    'Needed',
    '  ✓  git     2.39.5',
    '  ✓  shell   there      /bin/bash',
    '',
    'Agents',
    '  ✓  claude  2.1.325    used by "ralph run" · logged in',
    '  !  codex   0.100.0    it cannot commit · install a newer codex',
    '  ○  amp     not found  experimental · install Amp',
    '',
    'Boxes',
    '  ○  os                 srt was not found. · Install srt.',
    '  ✓  none               used by "ralph run" · no box',
    '',
    'Useful',
    '  ○  gh      not found  pull requests · https://cli.github.com',
    '',
    '"ralph run" can work here, with claude.',
  ])
})

it('has only what helps for an agent that a run would not start', () => {
  const gemini = agentFinding('gemini', {
    state: 'refused',
    version: '0.61.0',
    why: 'Nothing holds it.',
    fix: 'Hold it.',
  })
  expect(describeAll([], [claude, gemini])).toContain('  !  gemini  0.61.0   Hold it.')
})

describe('the mark', () => {
  const markOf = (over: Partial<AgentFinding>): string =>
    describeAll([], [agentFinding('codex', over)])
      .find((line) => line.includes('codex'))
      ?.trim()[0] ?? ''

  it.each([
    ['✓', { state: 'ok' }],
    ['✓', { state: 'unknown' }],
    ['!', { state: 'unknown', why: 'it did not say' }],
    ['○', { state: 'missing' }],
    ['!', { state: 'old' }],
    ['!', { state: 'bad' }],
    ['!', { state: 'refused' }],
    ['✗', { state: 'missing', chosen: true }],
    ['✗', { state: 'old', chosen: true }],
    ['✗', { state: 'bad', chosen: true }],
    ['✗', { state: 'refused', chosen: true }],
  ] as const)('is %s for %j', (mark, over) => {
    expect(markOf(over)).toBe(mark)
  })
})

it.each([
  [{ implement: 'claude', review: 'codex', reviewFix: 'claude' }, 'with claude; codex reviews.'],
  [{ implement: 'claude', review: 'codex', reviewFix: 'pi' }, 'with claude and pi; codex reviews.'],
  [{ implement: 'codex', review: null, reviewFix: 'codex' }, 'with codex, without review.'],
])('says who works: %j', (workers, words) => {
  expect(describeAll([], [claude], { workers }).at(-1)).toBe(`"ralph run" can work here, ${words}`)
})

it('says that no login was seen, and no more than that', () => {
  const lines = describeAll([], [agentFinding('claude', { chosen: true, version: '1.0', login: 'not-seen' })])
  expect(lines.join('\n')).toContain('no login seen')
  expect(lines.slice(-2)).toEqual([
    '"ralph run" can work here, with claude.',
    'Nothing here shows a login of claude: if a run says so, log in first.',
  ])
})

it('says what to do where it cannot, and who could', () => {
  const agents = [agentFinding('claude', { chosen: true, state: 'missing', fix: 'install it' }), agentFinding('codex')]
  expect(describeAll([], agents).slice(-4)).toEqual([
    '"ralph run" cannot work here:',
    '  - claude was not found (nothing inside the project counts).',
    '    Install it.',
    'With another agent it can: ralph run --agent codex',
  ])
})
