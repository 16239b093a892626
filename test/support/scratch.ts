import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'

/** A new empty directory (its real path), gone after the test. */
export function scratch(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-test-')))
  made.push(path)
  return path
}

const made: string[] = []

afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true })
})
