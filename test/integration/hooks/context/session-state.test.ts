import { chownSync, lstatSync, mkdirSync, readdirSync, readlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openSessionState, type SessionState } from '../../../../src/hooks/context/session-state.ts'
import { scratch } from '../../../support/scratch.ts'

const session = 'a'.repeat(36)
const isRoot = process.getuid?.() === 0

function open(root: string, data = join(root, 'data')): SessionState {
  const state = openSessionState(session, { CLAUDE_PLUGIN_DATA: data, TMPDIR: root })
  if (state === null) throw new Error('no place for it')
  return state
}
const placeIn = (root: string): string => join(root, 'data', 'context', session)

describe('a threshold', () => {
  it('fires for one of the calls that found it armed', () => {
    const root = scratch()
    const calls = [open(root), open(root), open(root)]
    expect(calls.map((call) => call.fire(60))).toEqual([true, false, false])
    expect(open(root).fired()).toEqual([60])
    expect(open(root).fire(60)).toBe(false)
  })

  it('is armed again only by a call that looked after it had fired', () => {
    const root = scratch()
    open(root).fire(60)
    const earlier = open(root)
    const path = join(placeIn(root), 'fired-60')
    utimesSync(path, Date.now() / 1000 + 60, Date.now() / 1000 + 60)
    earlier.rearm(60)
    expect(earlier.fired()).toEqual([60])
    expect(open(root).fired()).toEqual([60])
    utimesSync(path, 1, 1)
    const later = open(root)
    later.rearm(60)
    expect(later.fired()).toEqual([])
    expect(open(root).fired()).toEqual([])
  })
})

describe('what was seen', () => {
  it('replaces what was seen before, also at another path', () => {
    const root = scratch()
    open(root).holds('/one', 0, 100)
    open(root).holds('/two', 50, 200)
    open(root).holds('/three', 50, 200)
    expect(readdirSync(placeIn(root))).toEqual(['look-50-200'])
    expect(readlinkSync(join(placeIn(root), 'look-50-200'))).toBe('/three')
  })

  it('is forgotten, but nothing that somebody else put there', () => {
    const root = scratch()
    const state = open(root)
    state.fire(50)
    state.holds('/one', 0, 100)
    writeFileSync(join(placeIn(root), 'letter'), '')
    state.forget()
    expect(readdirSync(placeIn(root))).toEqual(['letter'])
  })
})

describe('its directory', () => {
  it('is made private again', () => {
    const root = scratch()
    mkdirSync(placeIn(root), { recursive: true, mode: 0o755 })
    open(root).fire(50)
    expect(lstatSync(placeIn(root)).mode & 0o777).toBe(0o700)
  })

  it.runIf(isRoot)('is not one of somebody else (needs root)', () => {
    const root = scratch()
    const theirs = join(root, `ralph-context-${process.getuid?.() ?? 0}`)
    mkdirSync(theirs, { mode: 0o700 })
    chownSync(theirs, 12_345, 12_345)
    expect(openSessionState(session, { TMPDIR: root })).toBeNull()
    expect(readdirSync(theirs)).toEqual([])
    mkdirSync(join(root, 'data'))
    mkdirSync(placeIn(root), { recursive: true, mode: 0o700 })
    chownSync(placeIn(root), 12_345, 12_345)
    expect(openSessionState(session, { CLAUDE_PLUGIN_DATA: join(root, 'data'), TMPDIR: root })).toBeNull()
  })

  it('is nowhere where nothing can be made', () => {
    expect(openSessionState(session, { CLAUDE_PLUGIN_DATA: '/proc/self', TMPDIR: '/proc/self' })).toBeNull()
  })
})
