import { isObject, parseJson } from '../../base/json.ts'
import { readSmall } from '../../store/read-small.ts'

/** Whether a runner started this session, directly or through the agent, and not a user who works beside the loop. */
export function isLoopSession(env: NodeJS.ProcessEnv, loop: string, session: string): boolean {
  if ((env['RALPH_RUN_ID'] ?? '') !== '') return true
  if (loop === '' || session === '') return false
  const seen = readSmall(loop, '.ralph-active')
  if (seen.kind !== 'text') return false
  const marker = parseJson(seen.text)
  return marker.ok && isObject(marker.value) && marker.value['sessionId'] === session
}
