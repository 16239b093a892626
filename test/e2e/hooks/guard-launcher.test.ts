import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { HookSession, type HookEnd } from '../../support/hook-session.ts'
import { newMark, processesWith } from '../../support/processes.ts'
import { scratch } from '../../support/scratch.ts'
import { until } from '../../support/until.ts'

let session: HookSession
beforeEach(() => {
  session = new HookSession(scratch())
})

const run = { RALPH_RUN_ID: '20261116-024656-0a1b2c3d' }

/** A PATH with these programs before those of the system. */
function pathWith(programs: Readonly<Record<string, string>>): string {
  const folder = join(session.root, 'bin')
  mkdirSync(folder)
  for (const [name, body] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  return `${folder}${delimiter}/usr/bin${delimiter}/bin`
}

/** A program that waits for ever. */
const waiting = (mark: string): string => `exec '${process.execPath}' -e 'setInterval(() => {}, 1e6)' '${mark}'`

const guarded = (PATH: string, env: Record<string, string> = run): HookEnd =>
  session.run('pre-tool-use', { env: { ...env, PATH } })

describe('the launcher of the guard', () => {
  it.each([
    ['crashes', 'exit 1', 'it ended with 1'],
    ['has an old number for trouble', 'echo "ralph guard: x" >&2; exit 2', 'it could not answer'],
    ['dies of a signal', 'kill -SEGV $$', 'it ended with 139'],
    ['is no node', 'echo "welcome to node"', 'it ended with 0'],
    [
      'prints an answer that is none',
      `echo '{"hookSpecificOutput":{"permissionDecision":"allow"}}'`,
      'it ended with 0',
    ],
    ['cannot be started', 'exec /nowhere', 'it ended with 127'],
  ])('denies where node %s', (_, body, why) => {
    const end = guarded(pathWith({ node: body }))
    expect(end.code).toBe(2)
    expect(end.err).toContain(`Ralph's guard denies this call: ${why}. Nothing was run.`)
  })

  it('denies where there is no node', () => {
    const end = guarded('/nowhere')
    expect(end).toMatchObject({ code: 2, out: '' })
    expect(end.err).toContain('node is not on PATH')
  })

  it('passes on what the guard answers', () => {
    const end = guarded(pathWith({ node: 'cat; exit 10' }))
    expect(end).toEqual({ code: 0, out: JSON.stringify(session.input()), err: '' })
  })

  it('denies where the guard hangs, after 10 seconds, and leaves nothing behind', async () => {
    const mark = newMark()
    // A clock that runs fast, and says how long it was to be.
    const sleep = 'echo "$1" > "$TMPDIR/slept"; exec /bin/sleep 0.3'
    const PATH = pathWith({ node: waiting(mark), sleep })
    const end = guarded(PATH)
    expect(end).toMatchObject({ code: 2, out: '' })
    expect(end.err).toContain('it did not answer in 10 seconds')
    expect(readFileSync(join(session.root, 'slept'), 'utf8')).toBe('10\n')
    await until('the guard is gone', () => processesWith(mark).length === 0)
  })

  it('ends its clock with the guard', async () => {
    const mark = newMark()
    const PATH = pathWith({ node: 'exit 10', sleep: waiting(mark) })
    for (let round = 0; round < 10; round++) expect(guarded(PATH).code).toBe(0)
    await until('the clock is gone', () => processesWith(mark).length === 0)
  })

  it('denies where there is no clock', () => {
    const end = guarded(pathWith({ node: waiting(''), sleep: 'exit 127' }))
    expect(end.code).toBe(2)
  })

  it('hurts nobody outside of a loop, also beside one', () => {
    for (const body of ['exit 1', 'exit 3']) {
      session = new HookSession(scratch())
      writeFileSync(join(session.project, '.ralph-active'), '{}')
      expect(guarded(pathWith({ node: body }), {}).code).not.toBe(2)
    }
    expect(guarded('/nowhere', {})).toMatchObject({ code: 0, out: '' })
    session = new HookSession(scratch())
    expect(guarded('/nowhere', {})).toEqual({ code: 0, out: '', err: '' })
  })

  it('does not start node where there is no loop', () => {
    const { PATH, starts } = session.fakeNode()
    expect(guarded(PATH, {})).toEqual({ code: 0, out: '', err: '' })
    expect(starts()).toEqual([])
  })
})
