import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { AgentReport } from '../../../src/agents/agent.ts'
import { builtAgents } from '../../../src/agents/registry.ts'
import { exited, play, someRequest } from '../../support/play-stream.ts'

const read = (path: string): Buffer => {
  const url = new URL(`../../fixtures/streams/${path}`, import.meta.url)
  return existsSync(url) ? readFileSync(url) : Buffer.alloc(0)
}

/** A recorded run with what it wrote on stderr. */
function understood(name: string, file: string, exitCode: number): AgentReport {
  const agent = builtAgents.find((candidate) => candidate.name === name)
  if (agent === undefined) throw new Error(`no agent ${name}`)
  const stderr = read(`${name}/${file}.stderr`).toString()
  return play(agent.read(someRequest), [read(`${name}/${file}.jsonl`)], exited(exitCode, stderr)).report
}

const has = (text: string): unknown => expect.stringContaining(text)

const runs: readonly (readonly [agent: string, file: string, exitCode: number, expected: Record<string, unknown>])[] = [
  ['gemini', 'full', 0, { outcome: 'succeeded', tokens: { input: 1000, output: 170, cacheRead: 5000, cacheWrite: 0 } }],
  [
    'gemini',
    'err-auth',
    144,
    { outcome: 'not-logged-in', message: has('API key not valid'), fix: has('GEMINI_API_KEY') },
  ],
  ['gemini', 'err-ratelimit', 1, { outcome: 'overloaded', message: has('exceeded your current quota') }],
  ['gemini', 'no-login', 41, { outcome: 'not-logged-in', message: has('Please set an Auth method') }],
  ['gemini', 'bad-flag', 1, { outcome: 'unavailable', message: has('Unknown arguments'), fix: has('npm install') }],
  [
    'opencode',
    'full',
    0,
    {
      outcome: 'succeeded',
      costUsd: expect.closeTo(0.00134, 8),
      tokens: { input: 1000, output: 170, cacheRead: 5000, cacheWrite: 0 },
    },
  ],
  [
    'opencode',
    'err-auth',
    1,
    { outcome: 'not-logged-in', message: 'Incorrect API key provided', fix: has('auth login') },
  ],
  ['opencode', 'err-ratelimit', 1, { outcome: 'overloaded', message: 'Rate limit reached for gpt-fake.' }],
  ['opencode', 'bad-flag', 1, { outcome: 'unavailable', message: 'printed its help instead of working' }],
  [
    'qwen',
    'full',
    0,
    { outcome: 'succeeded', costUsd: null, tokens: { input: 800, output: 136, cacheRead: 4000, cacheWrite: 0 } },
  ],
  ['qwen', 'err-auth', 1, { outcome: 'not-logged-in', message: has('401 Incorrect API key'), fix: has('qwen') }],
  ['qwen', 'err-ratelimit', 1, { outcome: 'overloaded', message: has('429') }],
  ['qwen', 'no-login', 1, { outcome: 'not-logged-in', message: has('No auth type is selected') }],
  ['qwen', 'bad-flag', 1, { outcome: 'unavailable', message: has('Unknown arguments') }],
  ['copilot', 'full', 0, { outcome: 'succeeded', costUsd: null, tokens: null }],
  ['copilot', 'err-auth', 1, { outcome: 'not-logged-in', message: has('Authentication failed'), fix: has('/login') }],
  ['copilot', 'err-ratelimit', 1, { outcome: 'overloaded', message: has('429 Rate limit') }],
  ['copilot', 'no-login', 1, { outcome: 'not-logged-in', message: has('No authentication information found') }],
  ['copilot', 'bad-flag', 1, { outcome: 'unavailable', message: has('unexpected argument') }],
  [
    'pi',
    'full',
    0,
    {
      outcome: 'succeeded',
      costUsd: expect.closeTo(0.001072, 8),
      tokens: { input: 800, output: 136, cacheRead: 4000, cacheWrite: 0 },
    },
  ],
  // Its exit code says nothing.
  ['pi', 'err-auth', 0, { outcome: 'not-logged-in', message: '401 Incorrect API key provided' }],
  ['pi', 'err-ratelimit', 0, { outcome: 'overloaded', message: '429 Rate limit reached for gpt-fake.' }],
  ['pi', 'no-login', 1, { outcome: 'not-logged-in', message: has('No API key found') }],
  ['pi', 'bad-flag', 1, { outcome: 'unavailable', message: has('Unknown option') }],
  ['droid', 'full', 0, { outcome: 'succeeded', tokens: { input: 30, output: 90, cacheRead: 3000, cacheWrite: 600 } }],
  [
    'droid',
    'no-login',
    1,
    { outcome: 'not-logged-in', message: has('Authentication failed'), fix: has('FACTORY_API_KEY') },
  ],
  ['droid', 'bad-flag', 1, { outcome: 'unavailable', message: has('unknown option') }],
  ['amp', 'full', 0, { outcome: 'succeeded', costUsd: null }],
  ['amp', 'err-execution', 1, { outcome: 'not-logged-in', message: has('401 Unauthorized'), fix: has('AMP_API_KEY') }],
  ['cursor', 'full', 0, { outcome: 'succeeded', costUsd: null, tokens: null }],
]

describe('a recorded run', () => {
  it.each(runs)('of %s, %s with exit code %d, is understood', (name, file, exitCode, expected) => {
    expect(understood(name, file, exitCode)).toMatchObject(expected)
  })
})
