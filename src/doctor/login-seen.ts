import { statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { Login, UserConfig } from '../agents/agent.ts'
import { userDirectory } from '../agents/user-directory.ts'
import { errnoOf } from '../store/attempt.ts'
import type { Finding } from './finding.ts'

/** Whether a variable or a file shows a login. No file is opened: it holds a key. */
export function loginSeen(
  { login, userConfig }: { readonly login: Login | null; readonly userConfig: UserConfig | null },
  env: Readonly<Record<string, string | undefined>>,
): Finding['login'] {
  if (login === null) return null
  const directory = userConfig === null ? null : userDirectory(userConfig, env)
  const home = env['HOME'] ?? ''
  const paths = login.files.map((file) => {
    if (!file.startsWith('~/')) return directory === null ? null : join(directory, file)
    return home === '' ? null : join(home, file.slice(2))
  })
  const isSeen = login.variables.some((name) => (env[name] ?? '') !== '') || paths.some(isFilled)
  return isSeen ? 'seen' : 'not-seen'
}

function isFilled(path: string | null): boolean {
  if (path === null || !isAbsolute(path) || path.includes('\0')) return false
  try {
    const seen = statSync(path)
    return seen.isFile() && seen.size > 0
  } catch (error) {
    errnoOf(error)
    return false
  }
}
