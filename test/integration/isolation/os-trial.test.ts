import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { removeOldTrials } from '../../../src/isolation/os/try-box.ts'
import { scratch } from '../../support/scratch.ts'

it('a trial of the OS sandbox removes what a killed one has left, not what another one needs or somebody else made', () => {
  const directory = scratch()
  const at = (name: string): string => join(directory, name)
  mkdirSync(at('ralph-trial-old/project'), { recursive: true })
  mkdirSync(at('kept'))
  writeFileSync(at('kept/file'), '')
  symlinkSync(at('kept'), at('ralph-trial-link'))
  removeOldTrials(directory, Date.now())
  expect(existsSync(at('ralph-trial-old'))).toBe(true)
  removeOldTrials(directory, Date.now() + 11 * 60_000)
  expect(['ralph-trial-old', 'ralph-trial-link', 'kept/file'].map((name) => existsSync(at(name)))).toEqual([
    false,
    false,
    true,
  ])
})
