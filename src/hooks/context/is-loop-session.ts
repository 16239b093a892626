import { isObject, parseJson } from '../../base/json.ts'
import { readRegular } from '../../git/disk.ts'

const maxMarkerBytes = 8 * 1024 * 1024

/** Whether a runner started this session, directly or through the agent, and not a user who works beside the loop. */
export function isLoopSession(env: NodeJS.ProcessEnv, loop: string, session: string): boolean {
  if ((env['RALPH_RUN_ID'] ?? '') !== '') return true
  if (loop === '' || session === '') return false
  const bytes = readRegular(`${loop}/.ralph-active`, maxMarkerBytes)
  if (bytes === null) return false
  const marker = parseJson(bytes.toString('utf8'))
  return marker.ok && isObject(marker.value) && marker.value['sessionId'] === session
}
