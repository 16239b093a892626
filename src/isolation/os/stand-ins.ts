import { lstatSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isObject, parseJson } from '../../base/json.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { Failure } from '../../model/failure.ts'
import type { StandIn } from './git-guards.ts'

type Done = Result<void, Failure>

/** Where it is written down what was put into the git directories: in the state, out of the agent's reach. */
export const recordIn = (given: string): string => join(dirname(given), 'stand-ins.json')

/**
 * Makes what is missing, and remembers first what it is about to make: whoever comes after a kill takes it away. Nothing of it
 * is ever part of what the referee looks at, because it is there only while something runs in the box.
 */
export function placeStandIns(record: string, standIns: readonly StandIn[]): Done {
  const odd = standIns.find(({ path, content }) => {
    const seen = lookAt(path)
    return seen !== null && !(content === null ? seen.isDirectory() : seen.isFile())
  })
  if (odd !== undefined) {
    return err({
      reason: 'isolation-unavailable',
      why: `${odd.path} is not ${odd.content === null ? 'a directory' : 'a file'}: the OS sandbox cannot protect it.`,
      fix: 'Put a real one in its place, or use another --isolation.',
    })
  }
  const others = pathsOfOthers(record)
  const ours = standIns.filter(({ path }) => lookAt(path) === null || others.has(path))
  if (ours.length === 0) return ok(undefined)
  return onDisk(record, () => {
    mkdirSync(dirname(record), { recursive: true, mode: 0o700 })
    writeFileSync(record, JSON.stringify(ours), { mode: 0o600 })
    for (const standIn of ours) makeOne(standIn)
  })
}

/** Whether all of it is there still: a run in another work tree that has just ended may not have known of us yet. */
export const areInPlace = (standIns: readonly StandIn[]): boolean => standIns.every(({ path }) => lookAt(path) !== null)

function makeOne({ path, content }: StandIn): void {
  try {
    if (content === null) mkdirSync(path)
    else writeFileSync(path, content, { flag: 'wx' })
  } catch (error) {
    // There already, for another run.
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

/**
 * What runs in other work trees have noted down. They share a git directory: what one of them took away there would be
 * unprotected in the other's box from then on.
 */
function pathsOfOthers(record: string): Set<string> {
  const project = dirname(dirname(record))
  const projects = dirname(project)
  const names = lookAt(projects)?.isDirectory() === true ? readdirSync(projects) : []
  const records = names
    .filter((name) => name !== basename(project))
    .flatMap((name) => readOther(join(projects, name, basename(dirname(record)), basename(record))))
  return new Set(records.map(({ path }) => path))
}

/**
 * Takes away what `placeStandIns` made, this time or before a kill, unless another run needs it; what somebody has filled
 * meanwhile stays for the referee.
 */
export function removeStandIns(record: string): Done {
  return onDisk(record, () => {
    const ours = readRecord(record).toReversed()
    const others = pathsOfOthers(record)
    for (const standIn of ours) if (!others.has(standIn.path)) removeOne(standIn)
    rmSync(record, { force: true })
    if (others.size === 0) return
    // Of two that end at once each has seen the other's record.
    const left = pathsOfOthers(record)
    for (const standIn of ours) if (others.has(standIn.path) && !left.has(standIn.path)) removeOne(standIn)
  })
}

function removeOne({ path, content }: StandIn): void {
  const seen = lookAt(path)
  if (seen === null) return
  try {
    if (content === null && seen.isDirectory()) rmdirSync(path)
    else if (content !== null && seen.isFile() && readFileSync(path, 'utf8') === content) unlinkSync(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error
  }
}

function readRecord(path: string): StandIn[] {
  if (lookAt(path)?.isFile() !== true) return []
  const json = parseJson(readFileSync(path, 'utf8'))
  // A torn record was written before anything was made.
  return json.ok && Array.isArray(json.value) ? json.value.flatMap(standInOf) : []
}

/** Something else may lie there, or belong to another user: that is no reason to stop. */
function readOther(path: string): StandIn[] {
  try {
    return readRecord(path)
  } catch (error) {
    if (codeOf(error) === null) throw error
    return []
  }
}

function standInOf(value: unknown): StandIn[] {
  if (!isObject(value)) return []
  const { path, content } = value
  return typeof path === 'string' && (content === null || typeof content === 'string') ? [{ path, content }] : []
}

const lookAt = (path: string) => lstatSync(path, { throwIfNoEntry: false }) ?? null

function onDisk(path: string, action: () => void): Done {
  try {
    action()
    return ok(undefined)
  } catch (error) {
    const code = codeOf(error)
    if (code === null) throw error
    return err({ reason: 'storage', doing: 'protect the git directory, noted in', path, code })
  }
}

const codeOf = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
