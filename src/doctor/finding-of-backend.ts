import type { Result } from '../base/result.ts'
import { visibleLine } from '../base/visible.ts'
import type { Backend, Isolation, Unavailable } from '../isolation/isolation.ts'
import type { BoxFinding } from './finding.ts'

/** What a try of one kind of box came to. */
export interface TriedBackend {
  readonly name: Backend['name']
  readonly isolation: Result<Isolation, Unavailable>
}

export function findingOfBackend({ name, isolation }: TriedBackend, chosen: boolean): BoxFinding {
  const common = { name, kind: 'box', path: null, version: null, login: null, chosen } as const
  if (isolation.ok) return { ...common, state: 'ok', why: visibleLine(isolation.value.description, 500), fix: null }
  const { why, fix } = isolation.error
  return { ...common, state: 'missing', why: visibleLine(why, 500), fix: visibleLine(fix, 500) }
}
