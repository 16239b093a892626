import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { newMark, processesWith } from '../support/processes.ts'
import { scratch } from '../support/scratch.ts'
import { until } from '../support/until.ts'

/** `ralph doctor` on the committed bundle. */
const bundle = join(import.meta.dirname, '../../scripts/ralph.mjs')

let root: string
beforeEach(() => {
  root = scratch()
})

it('answers without PATH, HOME or anything else', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bundle, 'doctor'], {
    cwd: root,
    env: {},
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 3, stderr: '' })
  expect(stdout).toContain('  - git was not found')
  expect(stdout).toContain('    Install git')
})

it('leaves nothing behind when it is interrupted', async () => {
  const [mark, started] = [newMark(), join(root, 'started')]
  // It would wait for ever.
  writeFileSync(
    join(root, 'claude'),
    `#!/bin/sh\nmkfifo '${root}/never'\nsh -c ': ${mark}; read never' <> '${root}/never' &\n: > '${started}'\nwait\n`,
  )
  chmodSync(join(root, 'claude'), 0o755)
  const env = { PATH: `${root}:/usr/bin:/bin`, HOME: root }
  const child = spawn(process.execPath, [bundle, 'doctor'], { cwd: root, env, stdio: 'ignore' })
  const ended = once(child, 'exit')
  await until('it was asked', () => existsSync(started))
  child.kill('SIGINT')
  expect(await ended).toEqual([130, null])
  expect(processesWith(mark)).toEqual([])
})
