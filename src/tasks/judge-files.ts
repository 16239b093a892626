import { isObject } from '../base/json.ts'
import { visibleLine } from '../base/visible.ts'
import type { Observation, PathChange } from '../model/observation.ts'
import type { Snapshot } from '../model/snapshot.ts'
import { reject, type Context } from './draft.ts'
import { readPackage, scriptsOf } from './protected-files.ts'
import { isPeopleOnly } from '../model/is-people-only.ts'
import { fold, isAtOrIn, isSteeringPath } from '../model/steering-paths.ts'

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

/** The row "files" of the table and the sentences below it. */
export function judgeFiles(before: Snapshot, now: Observation, context: Context): FileRepair {
  const restore: string[] = []
  const nested = new Set(now.nestedRepositories)
  for (const path of nested) {
    const message = 'a repository inside the repository is not allowed. Remove it, or its .git.'
    reject(context, 'nested-repository', null, `${visibleLine(path)}: ${message}`)
    restore.push(path)
  }
  for (const change of now.changes ?? []) {
    const finding = nested.has(change.path) ? null : ruleOn(change, context)
    if (finding === null) continue
    reject(context, finding.rule, null, `${visibleLine(change.path)}: ${finding.message}`)
    restore.push(change.path)
  }
  const scripts = changedScripts(now, context, restore)
  const track = now.dropped ?? []
  for (const path of track) {
    const rule = ruleOn({ path, kind: 'deleted', now: 'file' }, context)?.rule ?? 'people-only-file'
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

function ruleOn(change: PathChange, { mode, rules }: Context) {
  const { path } = change
  if (isRunnersOwn(path)) {
    return { rule: 'people-only-file' as const, message: 'only the runner writes this file. Take it out.' }
  }
  if (isPeopleOnly(path, rules.ralphDir)) {
    return { rule: 'people-only-file' as const, message: 'only people change this file. Put it back.' }
  }
  if (isSteeringPath(path)) {
    return {
      rule: 'steering-file' as const,
      message: 'configuration of agents may not change during a loop. Put it back.',
    }
  }
  // The list and the log of the loop have rules of their own, and every iteration writes them.
  if (rules.protects(path) && !isOfTheLoop(path, rules.ralphDir)) {
    return {
      rule: 'protected-file' as const,
      message: 'the checks stand on this file; it may not change during a loop. Put it back.',
    }
  }
  if (mode === 'review' && !isReviewersFile(path, rules.ralphDir)) {
    return {
      rule: 'review-changed-files' as const,
      message: 'a review iteration judges and does not change files. Put it back.',
    }
  }
  return null
}

/** Files that only the runner writes; in the tree of no snapshot, so they are seen when somebody forced them into a commit. */
function isRunnersOwn(path: string): boolean {
  const folded = fold(path)
  return isAtOrIn(folded, '.ralph-active') || folded.startsWith('.ralph/guardrail_')
}

const isOfTheLoop = (path: string, ralphDir: string): boolean =>
  [`${ralphDir}/tasks.json`, `${ralphDir}/progress.txt`].map(fold).includes(fold(path))

const memory = /(?:^|\/)(?:claude|agents)\.md$/

function isReviewersFile(path: string, ralphDir: string): boolean {
  const folded = fold(path)
  return isOfTheLoop(path, ralphDir) || memory.test(folded) || folded.startsWith('.claude/rules/')
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
  const off = before.branch !== undefined && now.branch !== undefined && now.branch !== before.branch
  if (off) {
    const where = now.branch == null ? 'on no branch' : `on ${visibleLine(now.branch)}`
    reject(
      context,
      'branch',
      null,
      `HEAD is ${where}, not on ${before.branch}. Go back to ${before.branch} with your commits.`,
    )
  }
  const rewritten = now.baseIsAncestor === false
  if (rewritten) {
    reject(
      context,
      'history',
      null,
      'The commits that were there before this iteration are no longer part of the history. Do not rewrite, amend or reset them.',
    )
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
