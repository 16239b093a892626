import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { err, ok, type Result } from '../base/result.ts'
import { visibleLine } from '../base/visible.ts'
import type { Failure } from '../model/failure.ts'
import { attempt } from '../store/attempt.ts'
import { readTasks } from '../tasks/read-tasks.ts'
import { isDemoList } from './project.ts'

/** A directory with everything of one demo in it; nothing of it is anywhere else. */
export interface DemoPlace {
  readonly directory: string
  readonly project: string
  readonly stateDir: string
  /** Nothing is ever there. */
  readonly configHome: string
  /** An earlier demo was left here: its loop goes on. */
  readonly isOld: boolean
}

/** The place that the user names, new or empty or that of an earlier demo; without a name, a temporary one. */
export function openPlace(named: string | null): Result<DemoPlace, Failure> {
  const path = named ?? join(tmpdir(), 'ralph-demo-')
  const directory = attempt('make', path, () => {
    if (named === null) return realpathSync(mkdtempSync(path))
    mkdirSync(named, { recursive: true })
    return realpathSync(named)
  })
  if (!directory.ok) return isInTheWay(directory.error) ? refuse(`${visibleLine(path)} is not a directory.`) : directory
  const place = {
    directory: directory.value,
    project: join(directory.value, 'receipts'),
    stateDir: join(directory.value, 'state'),
    configHome: join(directory.value, 'no-configuration'),
  }
  const found = attempt('read', path, () => readdirSync(place.directory))
  if (!found.ok) return found
  if (found.value.length === 0) return ok({ ...place, isOld: false })
  if (holdsDemo(place.project)) return ok({ ...place, isOld: true })
  return refuse(`${visibleLine(path)} is not empty, and what is in it is not a demo.`)
}

/** A file stands where the directory should be, or where one above it should be. */
const isInTheWay = (failure: Failure): boolean =>
  failure.reason === 'storage' && ['EEXIST', 'ENOTDIR'].includes(failure.code)

const refuse = (message: string): Result<never, Failure> =>
  err({ reason: 'usage', message, fix: 'Give --dir a directory that is empty or does not exist yet.' })

function holdsDemo(project: string): boolean {
  const path = join(project, 'ralph/tasks.json')
  const text = existsSync(path) ? attempt('read', path, () => readFileSync(path, 'utf8')) : null
  const list = text?.ok === true ? readTasks(text.value) : null
  return list?.ok === true && isDemoList(list.value)
}

/** Everything of a demo, gone. */
export function removePlace({ directory }: DemoPlace): Result<void, Failure> {
  return attempt('remove', directory, () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }))
}
