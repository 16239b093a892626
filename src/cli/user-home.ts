import { homedir } from 'node:os'

/** `$HOME`, else what the system knows; empty where it knows nobody of this number, as in many containers. */
export function userHome(env: Readonly<Record<string, string | undefined>>): string {
  const named = env['HOME']
  if (named !== undefined) return named
  try {
    return homedir()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_SYSTEM_ERROR')) throw error
    return ''
  }
}
