import { isObject, type JsonObject } from '../base/json.ts'
import type { AgentExit } from './agent.ts'
import { errorLine, firstLine } from './cut-text.ts'
import { exitPhrase, trouble, type AgentTrouble } from './exit-cause.ts'
import { refusedOption } from './refused-option.ts'
import { resetTime } from './reset-time.ts'

/** What Claude Code itself has said about how it went; nothing of it was written by the model. */
export interface ClaudeWords {
  /** The last result line. */
  readonly result: JsonObject | null
  /** The last message that it put in place of an answer, because the API gave none. */
  readonly apiError: { readonly error: string | null; readonly text: string } | null
  /** A usage limit that turned a request away, and was not lifted since. */
  readonly rejected: { readonly resetsAt: number | null } | null
  /** Whether the assistant has said or done anything. */
  readonly begun: boolean
}

/**
 * Why a run of Claude Code that ended by itself was no success; null if it was one. Neither the exit code nor the subtype is
 * enough: an API error has the subtype `success`, an interrupt the exit code 0.
 */
export function claudeFailure(words: ClaudeWords, exit: AgentExit): AgentTrouble | null {
  const { result, apiError, rejected } = words
  if (result !== null && isSuccess(result)) {
    if (exit.exitCode === 0 && exit.signal === null) return null
    return trouble('failed', `${exitPhrase(exit)}, though its last word was success`)
  }
  // What is no error of Claude Code's has the model's last words in it.
  if (result !== null && result['is_error'] !== true) return trouble('failed', `ended with ${reasonOf(result)}`)
  const said = result === null ? (apiError?.text ?? '') : wordsOf(result)
  const { stderrTail } = exit
  const message =
    firstLine(said) || errorLine(stderrTail) || firstLine(stderrTail) || `ended without a result (${exitPhrase(exit)})`
  const refused = result === null && !words.begun ? refusedOption(stderrTail) : null
  if (refused !== null)
    return trouble('unavailable', refused, 'update Claude Code (`claude update`), or look at the options in agent.args')
  const status = result?.['api_error_status']
  const kind = result?.['api_error']
  const error = apiError?.error ?? null
  const text = `${said}\n${result === null ? exit.stderrTail.slice(-2000) : ''}`.slice(0, 4000)

  if (error === 'billing_error' || /credit balance is too low/i.test(text)) {
    return trouble(
      'not-logged-in',
      message,
      'add credit to the account, or log in with another one: run `claude`, then /login',
    )
  }
  if (accountErrors.has(error) || status === 401 || status === 403 || /not logged in|please run \/login/i.test(text)) {
    return trouble('not-logged-in', message, 'run `claude` once and log in, or set ANTHROPIC_API_KEY')
  }
  if (kind === 'usage_limit_reached' || limitWords.test(text) || (rejected !== null && wasTurnedAway(result))) {
    return { ...trouble('usage-limit', message), resetsAt: rejected?.resetsAt ?? resetTime(text, exit.endedAt) }
  }
  if (isBusy(status) || kind === 'connection_failed' || (error !== null && busyErrors.has(error))) {
    return trouble('overloaded', message)
  }
  if (error === 'model_not_found') return trouble('failed', message, 'choose another model with --model')
  return trouble('failed', message)
}

const accountErrors: ReadonlySet<string | null> = new Set([
  'authentication_failed',
  'oauth_org_not_allowed',
  'account_on_hold',
  'verification_required',
  'cloud_credential_error',
])

const busyErrors: ReadonlySet<string> = new Set(['rate_limit', 'overloaded', 'server_error'])

/** "You've hit your 5-hour limit · resets …", and what older versions said. */
const limitWords = /you['’]ve hit your [\w'’ -]{0,60}limit|usage limit reached/i

/** Waiting helps with these. */
function isBusy(status: unknown): boolean {
  return typeof status === 'number' && (status === 408 || status === 429 || status >= 500)
}

/** Older versions give no terminal_reason. Of those there are, only `completed` means that it came to its own end. */
export function isSuccess(result: JsonObject): boolean {
  const { subtype, is_error: isError, terminal_reason: reason } = result
  return subtype === 'success' && (isError ?? false) === false && (reason ?? 'completed') === 'completed'
}

export function wordsOf(result: JsonObject): string {
  const { result: text, errors, error } = result
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined
  const said = [text, first, error, isObject(error) ? error['message'] : undefined].find(
    (value) => typeof value === 'string' && value.trim() !== '',
  )
  if (typeof said === 'string') return said
  return `ended with ${reasonOf(result)}`
}

function reasonOf({ terminal_reason: reason, subtype }: JsonObject): string {
  const why = [reason, subtype].find((value) => typeof value === 'string' && value !== 'completed')
  return typeof why === 'string' ? firstLine(why) : 'no reason'
}

/** Whether the run ended at the API, and not by a limit of ours that it met after the other was lifted. */
function wasTurnedAway(result: JsonObject | null): boolean {
  const reason = result?.['terminal_reason']
  return result === null || result['api_error_status'] === 429 || reason === 'api_error' || reason === 'blocking_limit'
}
