import { defaultReviewCap } from '../tasks/rules.ts'
import type { AgentChoice, RunOptions } from './run-options.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

export const defaultAgent: AgentChoice = { name: 'claude', model: null, command: null, args: [], format: 'text' }

/** What a run does that nobody told anything. The only place for defaults of options. */
export const defaults: RunOptions = {
  checks: [],
  maxIterations: 15,
  maxCostUsd: null,
  maxTokens: null,
  maxTimeMs: null,
  iterationTimeoutMs: hourMs,
  silenceTimeoutMs: 15 * minuteMs,
  checkTimeoutMs: 10 * minuteMs,
  idleThreshold: 2,
  maxConsecutiveErrors: 3,
  maxWaitMs: 6 * hourMs,
  completionTag: 'COMPLETE',
  completionResponse: 'DONE',
  outputTruncateChars: 5000,
  includeIterationCountInPrompt: true,
  agents: { implement: defaultAgent, review: defaultAgent, reviewFix: defaultAgent },
  skipReview: false,
  reviewCap: defaultReviewCap,
  atReviewCap: 'approve',
  story: null,
  isolation: 'auto',
  requireSandbox: false,
  network: 'registries',
  allowHosts: [],
  freshBox: 'review',
  ralphDir: 'ralph',
  noBranch: false,
  allowDirty: false,
  protectedPaths: [],
  env: { pass: [], drop: [] },
  guardAllow: [],
  strict: false,
}
