import type { Function as FunctionNode } from 'unbash'

/** What a shell knows at one point of a script; the inner ones forget what they learn when they end. */
export interface Scope {
  /** Where it may be; one that is not known is `unknown`. */
  directories: readonly string[]
  /** All values that a variable may have. */
  readonly variables: Map<string, readonly string[]>
  readonly arrays: Map<string, readonly string[]>
  readonly exported: Set<string>
  readonly functions: Map<string, FunctionNode['body']>
  readonly aliases: Map<string, string>
  /** `$1`, `$2` …; null: not known. */
  parameters: readonly string[] | null
  readonly outer: Scope | null
}

export function newScope(directories: readonly string[], outer: Scope | null = null): Scope {
  return {
    directories,
    variables: new Map(),
    arrays: new Map(),
    exported: new Set(),
    functions: new Map(),
    aliases: new Map(),
    parameters: outer?.parameters ?? null,
    outer,
  }
}

/** A shell of its own: its `cd` and its variables end with it. */
export const innerOf = (outer: Scope): Scope => newScope(outer.directories, outer)

type Kept = 'variables' | 'arrays' | 'functions' | 'aliases'
type ValueOf<K extends Kept> = Scope[K] extends Map<string, infer V> ? V : never

/** From the nearest scope that knows it. */
export function lookUp<K extends Kept>(scope: Scope, kept: K, name: string): ValueOf<K> | undefined {
  for (let at: Scope | null = scope; at !== null; at = at.outer) {
    const value = at[kept].get(name)
    if (value !== undefined) return value as ValueOf<K>
  }
  return undefined
}

/** What a command gets along, with `own` set in front of it. */
export function environmentIn(
  scope: Scope,
  own: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, readonly string[]> {
  let found: Map<string, readonly string[]> | null = null
  for (let at: Scope | null = scope; at !== null; at = at.outer) {
    for (const name of at.exported) {
      const values = lookUp(scope, 'variables', name)
      if (values !== undefined) (found ??= new Map(own)).set(name, own.get(name) ?? values)
    }
  }
  return found ?? own
}
