import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { killProcessesWith, newMark, processesWith, program, testEnv } from '../../support/processes.ts'
import { scratch } from '../../support/scratch.ts'

const main = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url))

let mark: string
beforeEach(() => {
  mark = newMark()
})
afterEach(() => killProcessesWith(mark))

describe('a bug', () => {
  it.each(['thrown', 'uncaught'])('that is %s ends every child before the command line exits', (kind) => {
    const args = ['--import', 'tsx', '--import', program('plant-bug.ts'), main, 'status']
    const env = { ...testEnv, PLANT: kind, MARK: mark, PLACE: scratch() }
    const result = spawnSync(process.execPath, args, { env, encoding: 'utf8', timeout: 60_000 })
    expect(result.stderr.split('\n')[0]).toBe('ralph: a bug in Ralph: planted')
    expect(result.status).toBe(70)
    expect(processesWith(mark)).toEqual([])
  })
})
