import { appendFileSync, mkdirSync } from 'node:fs'
import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { codeOf, lookAt, readRegular } from './disk.ts'
import { findLayout } from './git-layout.ts'
import type { OwnFiles } from './own-files.ts'

const maxExcludeBytes = 4 * 1024 * 1024

/**
 * Keeps the runner's files out of the user's status and commits without touching a file of the project. Before a run's
 * baseline is taken, so that no inspection takes it for the agent's work.
 */
export function excludeOwnFiles(project: string, own: OwnFiles): Result<void, Failure> {
  const layout = findLayout(project)
  if (layout === null) return ok(undefined)
  const path = `${layout.commonDir}/info/exclude`
  try {
    const seen = lookAt(path)
    // A user who has a link there knows why; the files are then in his status, and nothing worse.
    if (seen !== null && !seen.isFile()) return ok(undefined)
    const text = readRegular(path, maxExcludeBytes)?.toString('utf8') ?? ''
    const lines = new Set(text.split(/\r?\n/))
    const missing = own.map(patternOf).filter((pattern) => !lines.has(pattern))
    if (missing.length === 0) return ok(undefined)
    mkdirSync(`${layout.commonDir}/info`, { recursive: true })
    const gap = text === '' || text.endsWith('\n') ? '' : '\n'
    appendFileSync(path, `${gap}# Ralph's own files\n${missing.join('\n')}\n`)
    return ok(undefined)
  } catch (error) {
    return err({ reason: 'storage', doing: 'write', path, code: codeOf(error) })
  }
}

/** As git writes it: from the top of the project where the pattern has a place, anywhere else. */
const patternOf = (pattern: string): string => (pattern.startsWith('.ralph-draft-') ? pattern : `/${pattern}`)
