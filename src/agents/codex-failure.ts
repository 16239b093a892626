import type { AgentExit } from './agent.ts'
import { firstLine, lastLine } from './cut-text.ts'
import { exitPhrase, trouble, type AgentTrouble } from './exit-cause.ts'
import { refusedOption } from './refused-option.ts'
import { resetTime } from './reset-time.ts'

/** How the last turn of a codex thread ended: `error` is what it failed with. */
export type CodexTurn =
  | { readonly state: 'none' | 'open' | 'completed' }
  | { readonly state: 'failed'; readonly error: string }

/** Why a run of codex that ended by itself was no success; null if it was one. There are no codes, only sentences. */
export function codexFailure(turn: CodexTurn, exit: AgentExit): AgentTrouble | null {
  if (turn.state === 'completed') {
    if (exit.exitCode === 0 && exit.signal === null) return null
    return trouble('failed', `${exitPhrase(exit)}, though its last turn was completed`)
  }
  const refused = turn.state === 'none' ? refusedOption(exit.stderrTail) : null
  if (refused !== null) {
    return trouble('unavailable', refused, 'it may be too old or too new: npm install -g @openai/codex')
  }
  const said = turn.state === 'failed' ? turn.error : lastLine(exit.stderrTail)
  const message = firstLine(said) || `ended in the middle of a turn (${exitPhrase(exit)})`
  const kind = kinds.find(({ words }) => words.test(said))
  if (kind === undefined) return trouble('failed', message)
  const minute = kind.outcome === 'usage-limit' ? resetTime(said, exit.endedAt) : null
  // It names the minute in which the limit resets: only when that is over it surely has.
  return { ...trouble(kind.outcome, message, kind.fix), resetsAt: minute === null ? null : minute + 60_000 }
}

const kinds: readonly (Pick<AgentTrouble, 'outcome' | 'fix'> & { readonly words: RegExp })[] = [
  { words: /hit your usage limit/i, outcome: 'usage-limit', fix: null },
  {
    words: /quota exceeded|billing details/i,
    outcome: 'not-logged-in',
    fix: 'add credit to the account, or log in with another one: `codex login`',
  },
  {
    words: /status 40[13]|unauthorized|not logged in|missing environment variable/i,
    outcome: 'not-logged-in',
    // OPENAI_API_KEY alone is not looked at, and a login in a keyring is bound to the user's own directory.
    fix: 'run `codex login -c cli_auth_credentials_store=file`, or set CODEX_API_KEY or the key of its provider (settings: env.pass)',
  },
  {
    words: /\b429\b|rate limit|high demand|status 5\d\d|stream disconnected|error sending request/i,
    outcome: 'overloaded',
    fix: null,
  },
]
