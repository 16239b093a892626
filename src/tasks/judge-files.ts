import { isObject } from '../base/json.ts'
import { visibleLine } from '../base/visible.ts'
import type { Observation } from '../model/observation.ts'
import type { Snapshot } from '../model/snapshot.ts'
import { reject, type Context } from './draft.ts'
import { judgeBranch, judgeChanges, ruleOnFile } from './judge-changes.ts'
import { readPackage, scriptsOf } from './protected-files.ts'

/** What the runner has to put back outside of tasks.json. */
export interface FileRepair {
  /** Paths that go back to the snapshot, whatever they are now. */
  readonly restore: readonly string[]
  /** Paths that belong into git again, as they are. */
  readonly track: readonly string[]
  /** Scripts of package.json that get their value back; the rest of the file stays. */
  readonly scripts: ReadonlyMap<string, string>
  /** HEAD or its history was moved: the branch goes back to the base, the agent's tree on top of it. */
  readonly history: boolean
  readonly marker: boolean
}

/** Everything outside of the list: files, the scripts of package.json, what git tracks, its history, the marker. */
export function judgeFiles(before: Snapshot, now: Observation, context: Context): FileRepair {
  const nested = new Set(now.nestedRepositories)
  for (const path of nested) {
    const message = 'a repository inside the repository is not allowed. Remove it, or its .git.'
    reject(context, 'nested-repository', null, `${visibleLine(path)}: ${message}`)
  }
  const others = (now.changes ?? []).filter(({ path }) => !nested.has(path))
  const restore = [...nested, ...judgeChanges(others, context)]
  const scripts = changedScripts(now, context, restore)
  const track = now.dropped ?? []
  for (const path of track) {
    const rule = ruleOnFile(path, context)?.rule ?? 'people-only-file'
    reject(context, rule, null, `${visibleLine(path)}: only people take this file out of git. Put it back.`)
  }
  return {
    restore,
    track,
    scripts,
    history: judgeHistory(before, now, context),
    marker: judgeMarker(now, context),
  }
}

function changedScripts(now: Observation, context: Context, restore: string[]) {
  const changed = new Map<string, string>()
  const { protectedScripts } = context.rules
  if (now.packageJson === undefined || protectedScripts.size === 0) return changed
  if (restore.includes('package.json')) return changed
  const text = now.packageJson.kind === 'text' ? now.packageJson.text : null
  const scripts = scriptsOf(text)
  for (const [name, value] of protectedScripts) {
    if (scripts.get(name) === value) continue
    const message = `package.json: scripts.${name} is called by the checks and may not change during a loop. Put it back.`
    reject(context, 'protected-script', null, message)
    changed.set(name, value)
  }
  // Without a package.json to write into, the whole file comes back.
  if (changed.size > 0 && (text === null || readPackage(text) === null)) restore.push('package.json')
  return changed
}

/** The agent's package.json with these scripts as they were; null where it is none any more. */
export function putScriptsBack(now: Observation, scripts: ReadonlyMap<string, string>): string | null {
  if (now.packageJson?.kind !== 'text') return null
  const { text } = now.packageJson
  const document = readPackage(text)
  if (document === null) return null
  const old = document['scripts']
  document['scripts'] = { ...(isObject(old) ? old : {}), ...Object.fromEntries(scripts) }
  const indent = /^\ufeff?[[{]\r?\n([ \t]+)/.exec(text)?.[1] ?? 2
  const written = `${JSON.stringify(document, null, indent)}${text.endsWith('\n') ? '\n' : ''}`
  return text.includes('\r\n') ? written.replaceAll('\n', '\r\n') : written
}

function judgeHistory(before: Snapshot, now: Observation, context: Context): boolean {
  for (const finding of now.gitDirectory ?? []) reject(context, 'git-directory', null, finding)
  const off = judgeBranch(before, now, context)
  const rewritten = now.baseIsAncestor === false
  if (rewritten) {
    const message =
      'The commits that were there before this iteration are no longer part of the history. Do not rewrite, amend or reset them.'
    reject(context, 'history', null, message)
  }
  return off || rewritten
}

function judgeMarker(now: Observation, context: Context): boolean {
  if (now.marker === undefined || now.marker === 'as-written') return false
  reject(
    context,
    'marker',
    null,
    `.ralph-active was ${now.marker === 'missing' ? 'removed' : 'changed'}. Only the runner writes it.`,
  )
  return true
}
