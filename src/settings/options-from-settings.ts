import { agentOfSettings, changeAgent, commandOf } from './choose-agent.ts'
import { defaults } from './defaults.ts'
import type { CheckOption, RunOptions } from './run-options.ts'
import { durationMs, type Settings } from './settings-schema.ts'

/** The options of a run that was started without flags in an empty environment. */
export function optionsFromSettings(settings: Settings): RunOptions {
  const time = (value: string | number | undefined, otherwise: number): number =>
    value === undefined ? otherwise : durationMs(value)
  const backend = settings.isolation?.backend ?? defaults.isolation
  return {
    ...defaults,
    checks: (settings.checks ?? []).map(checkOf),
    maxIterations: settings.maxIterations ?? defaults.maxIterations,
    maxCostUsd: settings.maxCost ?? defaults.maxCostUsd,
    maxTokens: settings.maxTokens ?? defaults.maxTokens,
    maxTimeMs: settings.maxTime === undefined ? defaults.maxTimeMs : durationMs(settings.maxTime),
    iterationTimeoutMs: time(settings.iterationTimeout, defaults.iterationTimeoutMs),
    silenceTimeoutMs: time(settings.silenceTimeout, defaults.silenceTimeoutMs),
    checkTimeoutMs: time(settings.checkTimeout, defaults.checkTimeoutMs),
    idleThreshold: settings.idleThreshold ?? defaults.idleThreshold,
    maxConsecutiveErrors: settings.maxConsecutiveErrors ?? defaults.maxConsecutiveErrors,
    maxWaitMs: time(settings.maxWait, defaults.maxWaitMs),
    completionTag: settings.completionTag ?? defaults.completionTag,
    completionResponse: settings.completionResponse ?? defaults.completionResponse,
    outputTruncateChars: settings.outputTruncateChars ?? defaults.outputTruncateChars,
    includeIterationCountInPrompt: settings.includeIterationCountInPrompt ?? defaults.includeIterationCountInPrompt,
    agents: agentsOf(settings),
    skipReview: settings.skipReview ?? defaults.skipReview,
    reviewCap: settings.reviewCap ?? defaults.reviewCap,
    atReviewCap: settings.atReviewCap ?? defaults.atReviewCap,
    isolation: backend,
    requireSandbox: isNamedBackend(backend),
    network: settings.isolation?.network ?? defaults.network,
    allowHosts: settings.isolation?.allowHosts ?? defaults.allowHosts,
    freshBox: settings.isolation?.fresh ?? defaults.freshBox,
    protectedPaths: settings.protectedPaths ?? defaults.protectedPaths,
    guardAllow: settings.guard?.allow ?? defaults.guardAllow,
    env: { pass: settings.env?.pass ?? [], drop: settings.env?.drop ?? [] },
  }
}

/** Whoever names a box wants that one, and not whatever there is. */
export const isNamedBackend = (backend: RunOptions['isolation']): boolean => backend !== 'auto' && backend !== 'none'

const checkOf = (check: NonNullable<Settings['checks']>[number]): CheckOption => ({
  command: check.command,
  failAction: failActions[check.failAction ?? ''] ?? null,
  hint: check.hint ?? null,
  timeoutMs: check.timeout === undefined ? null : durationMs(check.timeout),
})

/** Earlier designs wrote these in capitals. */
const failActions: Readonly<Record<string, CheckOption['failAction']>> = {
  append: 'append',
  prepend: 'prepend',
  replace: 'replace',
  APPEND: 'append',
  PREPEND: 'prepend',
  REPLACE: 'replace',
}

/** `agent` is everybody; `agents` says more about one mode. */
function agentsOf({ agent, agents }: Settings): RunOptions['agents'] {
  const choice = agentOfSettings(agent)
  const inMode = (mode: 'implement' | 'review' | 'reviewFix') =>
    changeAgent(choice, agents?.[mode] ?? {}, commandOf(agent))
  return { implement: inMode('implement'), review: inMode('review'), reviewFix: inMode('reviewFix') }
}
