import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startCompanion, type Companion } from '../../../src/process/companion.ts'
import { newMark, processesWith, testEnv } from '../../support/processes.ts'
import { failure, value } from '../../support/repositories.ts'
import { scratch } from '../../support/scratch.ts'

const start = async (script: string, ...args: string[]): Promise<Companion> =>
  value(await startCompanion({ argv: ['/bin/sh', '-c', script, 'sh', ...args], cwd: '/', env: testEnv }))

describe('a companion', () => {
  it('answers a line for a line, in order', async () => {
    const companion = await start('while read -r line; do echo "<$line>"; done')
    const answers = await Promise.all(['a', 'b', 'c'].map((question) => companion.ask(question, 10_000)))
    expect(answers.map(value)).toEqual(['<a>', '<b>', '<c>'])
    await companion.end()
  })

  it('puts away what it has when its stdin ends', async () => {
    const file = join(scratch(), 'kept')
    writeFileSync(file, '')
    const companion = await start('cat > /dev/null; rm "$1"', file)
    await companion.end()
    expect(existsSync(file)).toBe(false)
    await companion.end()
  })

  it('is said to have ended, with its last words', async () => {
    const companion = await start('echo "no such thing" >&2; exit 3')
    expect(failure(await companion.ask('a', 10_000))).toBe('It ended: no such thing.')
  })

  it('is not waited for longer than it may take', async () => {
    const companion = await start('read -r a; exec sleep 1000')
    expect(failure(await companion.ask('a', 100))).toContain('has not answered')
    await companion.end()
  })

  it('is killed where it does not end by itself', async () => {
    const mark = newMark()
    const companion = await start('trap "" TERM; while :; do sleep 1; done', mark)
    await companion.end()
    expect(processesWith(mark)).toEqual([])
  })

  it('that cannot be started is a failure', async () => {
    const started = await startCompanion({ argv: ['/nowhere/x'], cwd: '/', env: {} })
    expect(failure(started)).toMatchObject({ reason: 'cannot-start', code: 'ENOENT' })
  })
})
