import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { findAgents } from '../../../src/cli/run-agents.ts'
import { directIsolation } from '../../../src/isolation/none.ts'
import { describeFailure, exitCodeFor } from '../../../src/model/describe-failure.ts'
import { defaultAgent, defaults } from '../../../src/settings/defaults.ts'
import type { RunOptions } from '../../../src/settings/run-options.ts'
import { noNamespace } from '../../support/processes.ts'
import { scratch } from '../../support/scratch.ts'

let bin: string
beforeEach(() => {
  bin = scratch()
})

function install(name: string): string {
  const path = join(bin, name)
  writeFileSync(path, '#!/bin/sh\n')
  chmodSync(path, 0o755)
  return path
}

const isolation = directIsolation({ containment: noNamespace })

function find(name: string, more: Partial<RunOptions> = {}, boxed = false) {
  const choice = { ...defaultAgent, name }
  const options = { ...defaults, agents: { implement: choice, review: choice, reviewFix: choice }, ...more }
  const places = { path: bin, forbiddenRoot: null }
  return findAgents(options, { places, isolation: { ...isolation, boxed }, isRoot: false })
}

/** Which exit code a run has with such an agent, and what it says. */
function refusal(...args: Parameters<typeof find>): string {
  const found = find(...args)
  if (found.ok) return 'none'
  const { what, fix } = describeFailure(found.error)
  return `${exitCodeFor(found.error)}: ${what} ${fix}`
}

describe('an agent that nothing holds', () => {
  it.each(['amp', 'gemini', 'opencode', 'qwen', 'copilot', 'cursor', 'pi', 'droid'])(
    '(%s) does not start by itself where there is no box, and both ways on are named',
    (name) => {
      install(name === 'cursor' ? 'cursor-agent' : name)
      expect(refusal(name)).toMatch(new RegExp(`^3: .*${name}.*Install a sandbox, or.*--no-sandbox`))
      expect(refusal(name, { isolation: 'none' })).toBe('none')
      expect(refusal(name, {}, true)).toBe('none')
    },
  )

  it('is refused as a reviewer too', () => {
    install('claude')
    install('gemini')
    const review = { ...defaultAgent, name: 'gemini' }
    const agents = { implement: defaultAgent, review, reviewFix: defaultAgent }
    expect(refusal('claude', { agents })).toMatch(/^3: .*gemini/)
    expect(refusal('claude', { agents, skipReview: true })).toBe('none')
  })
})

it.each(['claude', 'codex'])('%s is held by something and starts', (name) => {
  const program = install(name)
  expect(find(name)).toMatchObject({ ok: true, value: { implement: { program: [program] } } })
})

it('what is not installed is named with how to get it', () => {
  expect(refusal('gemini', { isolation: 'none' })).toMatch(/^3: .*gemini.*npm install -g @google\/gemini-cli/)
})

it.each([
  ['gemini', { maxCostUsd: 1 }, '2: gemini does not say what it costs: --max-cost cannot be kept. Use --max-tokens'],
  ['copilot', { maxCostUsd: 1 }, '2: copilot does not say what it costs: --max-cost cannot be kept. Use --max-time'],
  [
    'copilot',
    { maxTokens: 1 },
    '2: copilot does not say how many tokens it uses: --max-tokens cannot be kept. Use --max',
  ],
  ['pi', { maxCostUsd: 1, maxTokens: 1 }, 'none'],
  ['opencode', { maxCostUsd: 1, maxTokens: 1 }, 'none'],
])('a limit that %s cannot keep is refused: %j', (name, limits, words) => {
  install(name)
  expect(refusal(name, { ...limits, isolation: 'none' })).toContain(words)
})
