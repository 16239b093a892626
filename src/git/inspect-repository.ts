import type { RefereePlace } from './clean-environment.ts'
import { lookAt, readRegular } from './disk.ts'
import type { GitFinding, Repair } from './inspect-git-directory.ts'
import { strangeNames } from './make-repository.ts'

/**
 * Whether `referee.git` is still configured as the runner wrote it. Without a box an agent can write there, and the next git
 * would run what it wrote. `own` are its files as they should be, by path.
 */
export function inspectRepository({ repository }: RefereePlace, own: ReadonlyMap<string, Buffer>): GitFinding[] {
  const findings: GitFinding[] = []
  const add = (path: string, what: string, repair: Repair): void => {
    const name = path.slice(repository.length + 1)
    findings.push({ line: `the referee's own ${name} ${what}`, path, goodFaith: false, repair })
  }
  for (const [path, bytes] of own) {
    if (readRegular(path, bytes.length)?.equals(bytes) === true) continue
    const file = { path, kind: 'file' as const, mode: 0o600, content: bytes.toString('base64'), size: bytes.length }
    add(path, lookAt(path) === null ? 'was removed' : 'was changed', { kind: 'write', file })
  }
  for (const path of strangeNames.map((name) => `${repository}/${name}`)) {
    if (lookAt(path) !== null) add(path, 'was added', { kind: 'remove' })
  }
  return findings
}
