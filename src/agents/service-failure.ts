import type { AgentExit } from './agent.ts'
import { errorLine, firstLine, lastLine } from './cut-text.ts'
import { exitPhrase, trouble, type AgentTrouble } from './exit-cause.ts'
import { refusedOption } from './refused-option.ts'
import { resetTime } from './reset-time.ts'

/** What an agent's program has said about how it went; nothing of it was written by the model or by a tool. */
export interface ServiceWords {
  /** The sentence of its error; '' if it said none. */
  readonly said: string
  /** The status of the answer that it got, where it says so apart. */
  readonly status?: number | null
  /** When it may be asked again (ms since the epoch), where it says so apart. */
  readonly resetsAt?: number | null
}

/** How people help themselves with an agent. */
export interface AgentHelp {
  /** How to log in, as a phrase. */
  readonly login: string
  /** How to get it or a newer one, as a phrase. */
  readonly install: string
}

/** A limit that lasts longer is waited for; shorter ones are an overloaded service's. */
const shortMs = 60_000

/**
 * Why a run was no success, for agents that pass on what a model's service has told them: there are no codes in common, but
 * the statuses of HTTP and the words of a few services.
 */
export function serviceFailure(words: ServiceWords, exit: AgentExit, help: AgentHelp): AgentTrouble {
  const { stderrTail } = exit
  const isSaid = words.said.trim() !== ''
  // Before it said anything its errors are its own; later a tool may have written there.
  if (!isSaid) {
    const refused = refusedOption(stderrTail)
    if (refused !== null) return trouble('unavailable', refused, `it may be too old or too new: ${help.install}`)
  }
  const text = (isSaid ? words.said : stderrTail.slice(-2000)).slice(0, 4000)
  const message =
    firstLine(
      isSaid ? sentenceIn(words.said) : errorLine(stderrTail) || tellingLine(stderrTail) || lastLine(stderrTail),
    ) || `ended without a result (${exitPhrase(exit)})`
  return classified(text, message, { words, exit, help })
}

/** A run that broke off after the agent had begun to work: what stands on stderr may be a tool's, and decides nothing. */
export function brokeOff(exit: AgentExit): AgentTrouble {
  const line = errorLine(exit.stderrTail)
  return trouble('failed', `ended without a result (${exitPhrase(exit)})${line === '' ? '' : `: ${line}`}`)
}

function classified(
  text: string,
  message: string,
  { words, exit, help }: { readonly words: ServiceWords; readonly exit: AgentExit; readonly help: AgentHelp },
): AgentTrouble {
  const status = words.status ?? statusIn(text)
  const resetsAt = words.resetsAt ?? resetTime(text, exit.endedAt)
  const isLong = resetsAt !== null && resetsAt - exit.endedAt > shortMs
  if (limitWords.test(text) || (status === 429 && isLong)) return { ...trouble('usage-limit', message), resetsAt }
  if (status === 402 || billingWords.test(text)) {
    return trouble('not-logged-in', message, `add credit to the account, or use another one: ${help.login}`)
  }
  if (status === 401 || status === 403 || loginWords.test(text)) return trouble('not-logged-in', message, help.login)
  if (isBusy(status) || busyWords.test(text)) return trouble('overloaded', message)
  if (modelWords.test(text)) return trouble('failed', message, 'choose another model with --model')
  return trouble('failed', message)
}

const limitWords =
  /(?:hit|reached|exceeded|exhausted) your (?!current quota)[\w'’ -]{0,60}(?:limit|quota|capacity|allowance)|usage limit|(?:daily|weekly|monthly) (?:quota|limit)|quota will reset/i
const billingWords =
  /credit balance|insufficient[_ ](?:quota|credits?|balance|funds)|billing|payment required|out of credits/i
const loginWords =
  /un(?:authorized|authenticated)|(?:invalid|incorrect|wrong|missing|no)[_ ]api[_ ]?key|api[_ ]key (?:not (?:valid|found|set)|is (?:missing|invalid))|not (?:logged|signed) in|log in|\/login|sign in|authentication (?:failed|required|error)|no auth|set an auth method|auth method/i
const busyWords =
  /rate[_ -]?limit|too many requests|overloaded|high demand|exceeded your current quota|resource[_ ]exhausted|service unavailable|econn(?:refused|reset)|etimedout|enotfound|eai_again|fetch failed|network error|socket hang up|connection (?:error|refused|reset)/i
const modelWords = /model[^\n]{0,80}(?:not found|does not exist|not available|not supported|unknown)|unknown model/i

/** Waiting helps with these. */
const isBusy = (status: number | null): boolean =>
  status !== null && (status === 408 || status === 429 || (status >= 500 && status < 600))

/** A status in a sentence: `429 Rate limit reached`, `[API Error: 401 …]`, `"code":400`. */
function statusIn(text: string): number | null {
  const match = /(?:^|[\s:([=])(4\d\d|5\d\d)(?![\w.%])/.exec(text.slice(0, 1000))
  return match === null ? null : Number(match[1])
}

/** Some pass on the whole answer of the service; people want its sentence. */
function sentenceIn(said: string): string {
  const match = /"message": ?"((?:[^"\\]|\\.){1,400})"/.exec(said.slice(0, 4000))
  return match?.[1] ?? said
}

/** The first line that sounds like trouble; programs put advice behind it. */
function tellingLine(text: string): string {
  const words = /\b(?:error|failed|invalid|missing|please|no api key|not found|cannot|denied|required)\b/i
  const isWarning = /^\s*(?:warning|note|info)\b/i
  return text.split('\n').find((line) => words.test(line) && !isWarning.test(line)) ?? ''
}
