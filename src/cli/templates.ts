import { err, ok, type Result } from '../base/result.ts'
import { visibleLine } from '../base/visible.ts'
import type { Failure } from '../model/failure.ts'
import { readSmall } from '../store/read-small.ts'
import { parseList, writeTasks } from '../tasks/read-tasks.ts'
import { installationRoot } from './installation.ts'

/** The files of a loop, with the templates that they begin as. */
const templates = {
  'prd.md': 'prd-template.md',
  'tasks.json': 'tasks-template.json',
  'progress.txt': 'progress-template.md',
  'prompt.md': 'prompt.md',
} as const

export type LoopFile = keyof typeof templates

export interface TemplateValues {
  readonly project: string
  /** `2026-01-31`. */
  readonly date: string
  /** The branch that the loop will work on; the template's own if null. */
  readonly branch: string | null
}

/** One file of a new loop. */
export function loopFile(file: LoopFile, values: TemplateValues): Result<string, Failure> {
  const path = `templates/${templates[file]}`
  const seen = readSmall(installationRoot(), path)
  if (seen.kind !== 'text') {
    return err({ reason: 'missing-file', path: `${installationRoot()}/${path}`, fix: 'Install Ralph again.' })
  }
  if (file === 'prompt.md') return ok(seen.text)
  if (file === 'tasks.json' && values.branch !== null) return ok(namedList(seen.text, values.project, values.branch))
  return ok(
    seen.text
      .replaceAll('{{DATE}}', values.date)
      // A function, because the name of a directory may hold what replaceAll takes for a reference.
      .replaceAll('{{PROJECT_NAME}}', () => visibleLine(values.project, 100)),
  )
}

function namedList(text: string, project: string, branchName: string): string {
  const list = parseList(text)
  if (!list.ok) throw new Error(`templates/${templates['tasks.json']}: ${list.error.message}`)
  return writeTasks({ ...list.value, project, branchName })
}

/** The day in UTC, as run ids have it. */
export const today = (): string => new Date().toISOString().slice(0, 10)
