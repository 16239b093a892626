import { fold } from '../model/steering-paths.ts'
import type { Place } from './place.ts'
import type { Rule } from './rule.ts'
import { markerName } from './rules/marker.ts'
import { isGlob, isWild, namesMatch, unknown } from './shell/pattern.ts'
import type { Selection, Touch } from './touch.ts'

/** A guarded path of a rule, ready to be compared. */
interface Entry {
  readonly rule: Rule
  readonly path: string
  readonly names: readonly string[]
  readonly isExact: boolean
}

export type FindGuarded = (touch: Touch) => { readonly rule: Rule; readonly path: string } | null

/** Finds the rule that a touch would break, and what it would change. */
export function guardPaths(rules: readonly Rule[], place: Place): FindGuarded {
  const entries = rules.flatMap((rule) =>
    (rule.guarded?.(place) ?? []).map(({ path, isExact = false }): Entry => ({
      rule,
      path,
      names: namesOf(path).names,
      isExact,
    })),
  )
  const projects = place.projects.map((project) => namesOf(project).names)

  return (touch) => {
    for (const candidate of candidatesOf(touch, place)) {
      const { names, isWhole } = namesOf(candidate)
      // It has this name for no other reason, wherever it is.
      const named = names.includes(markerName) ? entries.find(({ names }) => names.at(-1) === markerName) : undefined
      const found = named ?? (isWhole ? entries.find((entry) => isHit(entry, names, touch)) : undefined)
      if (found !== undefined) return { rule: found.rule, path: isWild(found.path) ? candidate : found.path }
    }
    return null
  }

  function isHit(entry: Entry, names: readonly string[], { how, only }: Touch): boolean {
    const length = Math.min(names.length, entry.names.length)
    for (let index = length - 1; index >= 0; index--) {
      if (!namesMatch(names[index] ?? '', entry.names[index] ?? '')) return false
    }
    // A wildcard finds only what is there.
    const mustExist = names.some(isGlob)
    if (names.length >= entry.names.length) {
      return !(entry.isExact && names.length > entry.names.length) && !(mustExist && !isThere(entry))
    }
    if (how === 'write' || !isSelected(entry, names, only) || !isThere(entry)) return false
    return how === 'remove' || projects.some((project) => isBelow(names, project))
  }

  function isThere({ path }: Entry): boolean {
    return !isWild(path) && place.disk.exists(path)
  }
}

function isSelected(entry: Entry, root: readonly string[], only: Selection | undefined): boolean {
  if (only === undefined) return true
  if (entry.names.length - root.length > only.maxDepth) return false
  return only.names.length === 0 || only.names.some((name) => namesMatch(fold(name), entry.names.at(-1) ?? ''))
}

const isBelow = (names: readonly string[], parent: readonly string[]): boolean =>
  names.length > parent.length && parent.every((name, index) => name === names[index])

/** No system takes a longer one, from whatever directory. */
const maxPath = 8192

/** The path as it is written, and as the disk has it. */
function candidatesOf({ path, how }: Touch, { disk }: Place): string[] {
  if (path.length > maxPath) return []
  if (path.includes(unknown)) return [path]
  const parts = path.split('/')
  const wildAt = parts.findIndex(isWild)
  // To remove a link does nothing to what it leads to.
  const lastReal = how === 'write' ? parts.length : lastName(parts)
  const end = wildAt === -1 ? lastReal : Math.min(wildAt, lastReal)
  const real = [disk.real(parts.slice(0, end).join('/') || '/'), ...parts.slice(end)].join('/')
  return real === path ? [path] : [path, real]
}

/** Where the last name is that is not empty; none where it leads elsewhere. */
function lastName(parts: readonly string[]): number {
  const index = parts.findLastIndex((part) => part !== '')
  return parts[index] === '.' || parts[index] === '..' ? parts.length : Math.max(index, 0)
}

/** The names of a path, folded; those behind the last unknown one where there is one, and then it is not whole. */
function namesOf(path: string): { readonly names: readonly string[]; readonly isWhole: boolean } {
  let names: string[] = []
  let isWhole = !path.startsWith(unknown)
  for (const name of fold(path).split('/')) {
    if (name === '..') names.pop()
    else if (name === unknown) {
      names = []
      isWhole = false
    } else if (name !== '' && name !== '.') names.push(name)
  }
  return { names, isWhole }
}
