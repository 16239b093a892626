import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, inject, it } from 'vitest'
import { CodexLab, codexProgram, honest, shell } from '../codex/lab.ts'
import { says } from '../codex/responses-api.ts'
import { pathWithSrt } from './lab.ts'

const isHere = codexProgram !== null && inject('srt') !== null

describe.skipIf(!isHere)('the real codex in the OS sandbox', () => {
  let lab: CodexLab
  afterEach(() => lab.close())

  it('completes a story without a sandbox of its own, and cannot write outside', async () => {
    lab = await CodexLab.open({ stories: 1 })
    const srt = join(lab.root, 'srt')
    const outside = join(lab.root, 'outside')
    for (const directory of [srt, outside]) mkdirSync(directory)
    lab.env['PATH'] = `${pathWithSrt(srt)}:${lab.env['PATH'] ?? ''}`
    lab.acts({
      implement: (story) => [says(shell(`echo out > '${outside}/file'`)), ...honest('implement', story)],
    })
    // Its address is in a file of the user's, where Ralph does not look for hosts.
    lab.write('.ralph/settings.json', '{"isolation":{"allowHosts":["127.0.0.1"]}}\n')
    lab.commit('settings')
    const { exitCode, stdout } = await lab.run(['--isolation', 'os'])
    expect(stdout).toContain('Complete')
    expect(exitCode).toBe(0)
    expect(existsSync(join(outside, 'file'))).toBe(false)
  })
})
