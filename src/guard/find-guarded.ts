import { posix } from 'node:path'
import { fold } from '../model/steering-paths.ts'
import type { Place } from './place.ts'
import type { Rule } from './rule.ts'
import { markerName } from './rules/self-tampering/marker.ts'
import { isGlob, isWild, nameIsFound, namesMatch, unknown } from './shell/pattern.ts'
import type { Selection, Touch } from './touch.ts'

/** A guarded path of a rule, ready to be compared. */
interface Entry {
  readonly rule: Rule
  readonly path: string
  readonly folded: string
  readonly isWild: boolean
  readonly isExact: boolean
}

/** `isInside`: it is only somewhere in what is touched. */
export type FindGuarded = (
  touch: Touch,
) => { readonly rule: Rule; readonly path: string; readonly isInside: boolean } | null

/** Finds the rule that a touch would break, and what it would change. */
export function guardPaths(rules: readonly Rule[], place: Place): FindGuarded {
  const entriesOf = (some: readonly Rule[]): Entry[] =>
    some.flatMap((rule) =>
      (rule.guarded?.(place) ?? []).map(({ path, isExact = false }): Entry => {
        const folded = foldFast(posix.normalize(path))
        return { rule, path, folded, isWild: isWild(folded), isExact }
      }),
    )
  // Most touches are reads, which hardly any rule denies, and to list all paths takes looks at the disk.
  let all: Entry[] | null = null
  let unread: Entry[] | null = null

  return (touch) => {
    const entries =
      touch.how === 'read'
        ? (unread ??= entriesOf(rules.filter(({ isUnread }) => isUnread === true)))
        : (all ??= entriesOf(rules))
    for (const candidate of candidatesOf(touch, place)) {
      const seen = settle(candidate)
      const found = entries.find((entry) =>
        seen.isWhole ? isHit(entry, seen, touch) : touch.how !== 'read' && isMarker(entry, seen),
      )
      if (found !== undefined) {
        const isInside = found.folded.split('/').length - 1 > seen.names.length
        return { rule: found.rule, path: found.isWild ? candidate : found.path, isInside }
      }
    }
    return null
  }

  function isHit(entry: Entry, seen: Settled, { how, only }: Touch): boolean {
    // It has this name for no other reason, wherever it is.
    if (isMarker(entry, seen)) return true
    const relation = relationOf(seen, entry)
    if (relation === null || (relation === 'in' && entry.isExact)) return false
    if (relation !== 'above') return !seen.isGlob || isThere(entry)
    if (how === 'read' || how === 'write' || !isSelected(entry, seen.names, only) || !isThere(entry)) return false
    return how === 'remove' || place.projects.some((project) => seen.text.startsWith(`${foldFast(project)}/`))
  }

  /** A wildcard finds, and removing a directory removes, only what is there. */
  function isThere({ path, isWild }: Entry): boolean {
    return !isWild && place.disk.exists(path)
  }
}

const isMarker = ({ folded }: Entry, { names }: Settled): boolean =>
  names.includes(markerName) && folded.endsWith(`/${markerName}`)

/** Where a path is, seen from a guarded one; null: elsewhere. */
function relationOf(seen: Settled, { folded, isWild }: Entry): 'at' | 'in' | 'above' | null {
  if (!seen.isWild && !isWild) {
    if (seen.text === folded) return 'at'
    if (seen.text.startsWith(`${folded}/`)) return 'in'
    return folded.startsWith(seen.text === '/' ? '/' : `${seen.text}/`) ? 'above' : null
  }
  const names = folded.split('/').slice(1)
  const length = Math.min(names.length, seen.names.length)
  for (let index = length - 1; index >= 0; index--) {
    if (!namesMatch(seen.names[index] ?? '', names[index] ?? '')) return null
  }
  if (seen.names.length === names.length) return 'at'
  return seen.names.length > names.length ? 'in' : 'above'
}

function isSelected({ folded }: Entry, root: readonly string[], only: Selection | undefined): boolean {
  if (only === undefined) return true
  const names = folded.split('/').slice(1)
  if (names.length - root.length > only.maxDepth) return false
  return only.names.length === 0 || only.names.some((name) => nameIsFound(fold(name), names.at(-1) ?? ''))
}

/** No system takes a longer one, from whatever directory. */
const maxPath = 8192

/** The path as it is written, and as the disk has it. */
function candidatesOf({ path, how }: Touch, { disk }: Place): string[] {
  if (path.length > maxPath) return []
  if (path.includes(unknown)) return [path]
  const parts = path.split('/')
  const wildAt = parts.findIndex(isWild)
  // To remove a link does nothing to what it leads to.
  const lastReal = how === 'read' || how === 'write' ? parts.length : lastName(parts)
  const end = wildAt === -1 ? lastReal : Math.min(wildAt, lastReal)
  const real = [disk.real(parts.slice(0, end).join('/') || '/'), ...parts.slice(end)].join('/')
  return real === path ? [path] : [path, real]
}

/** Where the last name is that is not empty; none where it leads elsewhere. */
function lastName(parts: readonly string[]): number {
  const index = parts.findLastIndex((part) => part !== '')
  return parts[index] === '.' || parts[index] === '..' ? parts.length : Math.max(index, 0)
}

/** A path, folded and without detours; what is behind the last unknown name where there is one, and then it is not whole. */
interface Settled {
  readonly text: string
  readonly names: readonly string[]
  readonly isWhole: boolean
  readonly isWild: boolean
  readonly isGlob: boolean
}

function settle(path: string): Settled {
  let names: string[] = []
  let isWhole = !path.startsWith(unknown)
  for (const name of foldFast(path).split('/')) {
    if (name === '..') names.pop()
    else if (name === unknown) {
      names = []
      isWhole = false
    } else if (name !== '' && name !== '.') names.push(name)
  }
  const text = `/${names.join('/')}`
  return { text, names, isWhole, isWild: isWild(text), isGlob: isGlob(text) }
}

/** Most paths need none of the tables that fold would have to load first. */
const foldFast = (path: string): string => (/^[ -~]*$/.test(path) ? path.toLowerCase() : fold(path))
