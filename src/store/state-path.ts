import { basename, isAbsolute } from 'node:path'

/** `$RALPH_STATE_DIR`, else `$XDG_STATE_HOME/ralph`, else `~/.local/state/ralph`. */
export function stateRootIn(env: Readonly<Record<string, string | undefined>>, home: string): string {
  const own = env['RALPH_STATE_DIR'] ?? ''
  if (own !== '') return own
  // The XDG specification says that relative paths are to be ignored.
  const xdg = env['XDG_STATE_HOME'] ?? ''
  return `${isAbsolute(xdg) ? xdg : `${home}/.local/state`}/ralph`
}

/** The name of a project's directory in it: for people who look, and a hash, which is what tells projects apart. */
export function stateNameOf(project: string, sha256: (text: string) => string): string {
  const plain = basename(project)
    .replaceAll(/[^A-Za-z0-9_-]/g, '-')
    .slice(0, 40)
  return `${plain === '' ? 'project' : plain}-${sha256(project).slice(0, 16)}`
}
