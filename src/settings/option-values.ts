import { ok } from '../base/result.ts'
import { bounds } from './bounds.ts'
import type { Overrides } from './overrides.ts'
import {
  parseAgent,
  parseAmount,
  parseCount,
  parseLine,
  parseModel,
  parseOneOf,
  parseStoryId,
  parseTime,
  type ParseValue,
} from './parse-value.ts'

/** One option that has a value, and where its text comes from. */
export interface OptionValueSpec {
  readonly option: string
  /** Its variable, where it has one. Names that the runner sets for agents (RALPH_MAX_ITERATIONS …) are not to be had. */
  readonly variable?: string
  readonly read: ParseValue<Overrides>
}

/** The parsed value under its name. */
const as =
  <K extends keyof Overrides>(field: K, parse: ParseValue<NonNullable<Overrides[K]>>): ParseValue<Overrides> =>
  (text) => {
    const parsed = parse(text)
    return parsed.ok ? ok({ [field]: parsed.value }) : parsed
  }

const time = parseTime(bounds.durationMs)

export const optionValues: readonly OptionValueSpec[] = [
  { option: '--max-iterations', read: as('maxIterations', parseCount(bounds.maxIterations)) },
  { option: '--max-cost', variable: 'RALPH_MAX_COST', read: as('maxCostUsd', parseAmount(bounds.maxCostUsd)) },
  { option: '--max-tokens', variable: 'RALPH_MAX_TOKENS', read: as('maxTokens', parseCount(bounds.maxTokens)) },
  { option: '--max-time', variable: 'RALPH_MAX_TIME', read: as('maxTimeMs', time) },
  { option: '--iteration-timeout', variable: 'RALPH_ITERATION_TIMEOUT', read: as('iterationTimeoutMs', time) },
  { option: '--silence-timeout', variable: 'RALPH_SILENCE_TIMEOUT', read: as('silenceTimeoutMs', time) },
  { option: '--check-timeout', variable: 'RALPH_CHECK_TIMEOUT', read: as('checkTimeoutMs', time) },
  { option: '--idle-threshold', read: as('idleThreshold', parseCount(bounds.idleThreshold)) },
  { option: '--max-consecutive-errors', read: as('maxConsecutiveErrors', parseCount(bounds.maxConsecutiveErrors)) },
  { option: '--max-wait', variable: 'RALPH_MAX_WAIT', read: as('maxWaitMs', parseTime(bounds.waitMs)) },
  { option: '--completion-tag', read: as('completionTag', parseLine) },
  { option: '--completion-response', read: as('completionResponse', parseLine) },
  { option: '--agent', variable: 'RALPH_AGENT', read: as('agentName', parseAgent) },
  { option: '--model', variable: 'RALPH_MODEL', read: as('model', parseModel) },
  { option: '--review-agent', variable: 'RALPH_REVIEW_AGENT', read: as('reviewAgent', parseAgent) },
  { option: '--review-model', variable: 'RALPH_REVIEW_MODEL', read: as('reviewModel', parseModel) },
  { option: '--review-cap', read: as('reviewCap', parseCount(bounds.reviewCap)) },
  { option: '--at-review-cap', read: as('atReviewCap', parseOneOf(['approve', 'stop'])) },
  { option: '--story', read: as('story', parseStoryId) },
  {
    option: '--isolation',
    variable: 'RALPH_ISOLATION',
    read: as('isolation', parseOneOf(['auto', 'sbx', 'docker-sandbox', 'os', 'none'])),
  },
]
