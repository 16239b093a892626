import { isAbsolute, join } from 'node:path'
import type { JsonObject } from '../../base/json.ts'
import { findLayout } from '../../git/git-layout.ts'
import type { Place } from '../../guard/place.ts'
import { peopleFiles } from '../../model/is-people-only.ts'
import { seenDisk } from '../../store/seen-disk.ts'

export interface CallSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly input: JsonObject
  /** The directory with the marker; empty where there is none. */
  readonly loop: string
  /** Whether the call is part of a loop; else the user asked for the guard everywhere. */
  readonly isInLoop: boolean
  /** Of the marker; empty where it could not be read. */
  readonly ralphDir: string
  /** The directory of the plugin. */
  readonly plugin: string
}

/** Where a call happens, from what Claude Code, the environment and the disk say. */
export function placeOfCall({ env, input, loop, isInLoop, ralphDir, plugin }: CallSurroundings): Place {
  const given = input['cwd']
  const session = env['CLAUDE_PROJECT_DIR'] ?? ''
  const cwd = typeof given === 'string' && isAbsolute(given) ? given : session || process.cwd()
  const named = unique([ralphDir, env['RALPH_DIR'] ?? '']).filter((dir) => dir !== '')
  const ralphDirs = named.length === 0 ? ['ralph'] : named
  const disk = seenDisk(() => [...guardedIn(projects, ralphDirs), ...gitDirsOf(projects).map((dir) => `${dir}/config`)])
  const roots = [loop, session].filter(isAbsolute)
  const projects = unique((roots.length === 0 ? [cwd] : roots).map(disk.real))
  const home = disk.real(env['HOME'] || '/')
  return {
    cwd,
    home,
    variables: env,
    projects,
    ralphDirs: isInLoop || loop !== '' ? ralphDirs : [],
    disk,
    // Most commands write no file that they name, so nobody asks for these.
    get claudeDirs() {
      return [env['CLAUDE_CONFIG_DIR'] ?? ''].filter(isAbsolute).map(disk.real)
    },
    get gitDirs() {
      return unique(gitDirsOf(projects).map(disk.real))
    },
    get plugin() {
      const own = disk.real(plugin)
      // Who works on the plugin itself with the guard everywhere must still be able to.
      return !isInLoop && projects.some((project) => `${project}/`.startsWith(`${own}/`)) ? null : own
    },
    get state() {
      return stateOf(env, home).map(disk.real)
    },
  }
}

/** The files that another hard link would give another name. */
const guardedIn = (projects: readonly string[], ralphDirs: readonly string[]): string[] =>
  projects.flatMap((project) =>
    [
      ...ralphDirs.flatMap(peopleFiles),
      '.ralph-active',
      '.claude/settings.json',
      '.claude/settings.local.json',
      '.mcp.json',
    ].map((name) => `${project}/${name}`),
  )

const gitDirsOf = (projects: readonly string[]): string[] =>
  projects.flatMap((project) => {
    const layout = findLayout(project)
    return [`${project}/.git`, ...(layout === null ? [] : [layout.gitDir, layout.commonDir])]
  })

/** The same places as the runner's own `stateRoot`, and where the hooks keep what they remember of a session. */
function stateOf(env: CallSurroundings['env'], home: string): string[] {
  const xdg = env['XDG_STATE_HOME'] ?? ''
  const usual = isAbsolute(xdg) ? join(xdg, 'ralph') : join(home, '.local/state/ralph')
  return [env['RALPH_STATE_DIR'] || usual, env['CLAUDE_PLUGIN_DATA'] ?? ''].filter(isAbsolute)
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)]
