import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { JsonObject } from '../../base/json.ts'
import { findLayout } from '../../git/git-layout.ts'
import type { Place } from '../../guard/place.ts'
import { peopleFiles } from '../../model/is-people-only.ts'
import { seenDisk } from './seen-disk.ts'

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
  const plain = seenDisk([])
  const session = env['CLAUDE_PROJECT_DIR'] ?? ''
  const cwd = typeof given === 'string' && isAbsolute(given) ? given : session || process.cwd()
  const roots = [loop, session].filter(isAbsolute)
  const projects = unique((roots.length === 0 ? [cwd] : roots).map(plain.real))
  const home = env['HOME'] ?? homedir()
  const named = unique([ralphDir, env['RALPH_DIR'] ?? '']).filter((dir) => dir !== '')
  const ralphDirs = named.length === 0 ? ['ralph'] : named
  const gitDirs = projects.flatMap((project) => {
    const layout = findLayout(project)
    return [`${project}/.git`, ...(layout === null ? [] : [layout.gitDir, layout.commonDir])]
  })
  const guarded = projects.flatMap((project) =>
    [
      ...ralphDirs.flatMap(peopleFiles),
      '.ralph-active',
      '.claude/settings.json',
      '.claude/settings.local.json',
      '.mcp.json',
    ].map((name) => `${project}/${name}`),
  )
  const place = {
    cwd,
    home: plain.real(home),
    variables: env,
    projects,
    ralphDirs: isInLoop || loop !== '' ? ralphDirs : [],
    claudeDirs: [env['CLAUDE_CONFIG_DIR'] ?? ''].filter(isAbsolute).map(plain.real),
    gitDirs: unique(gitDirs.map(plain.real)),
    disk: seenDisk([...guarded, ...gitDirs.map((dir) => `${dir}/config`)]),
  }
  const own = plain.real(plugin)
  // Who works on the plugin itself with the guard everywhere must still be able to.
  const isOnPlugin = !isInLoop && projects.some((project) => `${project}/`.startsWith(`${own}/`))
  return { ...place, plugin: isOnPlugin ? null : own, state: stateOf(env, place.home).map(plain.real) }
}

/** The same places as the runner's own `stateRoot`, and where the hooks keep what they remember of a session. */
function stateOf(env: CallSurroundings['env'], home: string): string[] {
  const xdg = env['XDG_STATE_HOME'] ?? ''
  const usual = isAbsolute(xdg) ? join(xdg, 'ralph') : join(home, '.local/state/ralph')
  return [env['RALPH_STATE_DIR'] || usual, env['CLAUDE_PLUGIN_DATA'] ?? ''].filter(isAbsolute)
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)]
