import { isWild } from '../shell/pattern.ts'
import { inside } from '../shell/inside.ts'
import { findRoots } from '../shell/find-words.ts'
import { unwrap } from '../shell/unwrap.ts'
import type { Selection, Touch } from '../touch.ts'
import { targetsOf } from './targets-of.ts'
import { withPatterns } from '../shell/expand-word.ts'

/** What `find` would remove or change: everything below its roots that has one of the names it looks for. */
export function findTouches(args: readonly string[], directories: readonly string[]): Touch[] {
  const { roots, tests } = findRoots(args)
  const written = tests.flatMap((test, index) =>
    printing.has(test) && !isInAction(tests, index) ? inside(directories, tests[index + 1] ?? '') : [],
  )
  const writes = written.map((path): Touch => ({ path, how: 'write' }))
  const only = changes(tests) ? selectionOf(tests) : null
  if (only === null) return writes
  const removed = roots
    .flatMap((root) => inside(directories, root))
    .map((path): Touch => ({ path, how: 'remove', only }))
  return [...writes, ...removed]
}

/** They print into the file that stands behind them. */
const printing = new Set(['-fprint', '-fprint0', '-fprintf', '-fls'])

const actions = new Set(['-exec', '-execdir', '-ok', '-okdir'])

/** Whether it does to what it finds what a program would do to an operand. */
function changes(tests: readonly string[]): boolean {
  return tests.some((test, index) => {
    if (test === '-delete') return !isInAction(tests, index)
    if (!actions.has(test)) return false
    const rest = tests.slice(index + 1)
    const end = rest.findIndex((word) => word === ';' || word === '+')
    return unwrap(end === -1 ? rest : rest.slice(0, end)).some(({ name, args }) =>
      targetsOf(name)(args).some(({ path, how }) => how !== 'read' && path.includes('{}')),
    )
  })
}

/** Between `-exec` and its end all words belong to another command. */
function isInAction(tests: readonly string[], index: number): boolean {
  const start = tests.findLastIndex((test, at) => at < index && actions.has(test))
  return start !== -1 && !tests.slice(start, index).some((word) => word === ';' || word === '+')
}

/** These say nothing about which files of people's it finds. */
const neutral = new Set(['-type', '-maxdepth', '-mindepth', '-depth', '-xdev', '-print', '-print0', '-delete', '-not'])

/** Null where it looks for something else than names, and nobody can tell what that is. */
function selectionOf(tests: readonly string[]): Selection | null {
  const names: string[] = []
  let maxDepth = Number.POSITIVE_INFINITY
  let hasOther = false
  for (let index = 0; index < tests.length; index++) {
    const test = tests[index] ?? ''
    const value = tests[index + 1] ?? ''
    if (actions.has(test)) break
    if (test === '-name' || test === '-iname') {
      const before = tests[index - 1]
      if (before !== '!' && before !== '-not') names.push(isWild(value) ? value : withPatterns(value))
      index++
    } else if (test === '-maxdepth') maxDepth = Number(value)
    else if (test === '-type' && value !== 'f') hasOther = true
    else if (test.startsWith('-') && !neutral.has(test)) hasOther = true
  }
  return names.length === 0 && hasOther ? null : { names, maxDepth }
}
