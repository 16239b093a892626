import type { AgentExit } from './agent.ts'
import { isSuccess, wordsOf, type ClaudeWords } from './claude-failure.ts'
import { exitPhrase, trouble, type AgentTrouble } from './exit-cause.ts'
import { brokeOff, serviceFailure, type AgentHelp } from './service-failure.ts'

/** Why a run of an agent that ends as Claude Code does was no success; null if it was one. */
export function claudeLikeFailure(
  { result, begun }: ClaudeWords,
  exit: AgentExit,
  help: AgentHelp,
): AgentTrouble | null {
  if (result === null) return begun ? brokeOff(exit) : serviceFailure({ said: '' }, exit, help)
  // What is no error of the program's has the model's last words in it.
  if (!isSuccess(result)) {
    const said = wordsOf(result['is_error'] === true ? result : { ...result, result: '' })
    return serviceFailure({ said }, exit, help)
  }
  if (exit.exitCode === 0 && exit.signal === null) return null
  return trouble('failed', `${exitPhrase(exit)}, though its last word was success`)
}
