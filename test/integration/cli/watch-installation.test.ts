import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { watchInstallation } from '../../../src/cli/watch-installation.ts'

describe('watchInstallation', () => {
  let root: string
  const at = (path: string): string => join(root, path)
  const write = (path: string, text: string): void => {
    mkdirSync(join(at(path), '..'), { recursive: true })
    writeFileSync(at(path), text)
  }
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'ralph installation '))
    write('.claude-plugin/plugin.json', '{}')
    write('hooks/hooks.json', '{}')
    write('scripts/hook.sh', 'exit 0\n')
    write('scripts/hooks/stop.cjs', '// stop\n')
    write('README.md', 'read me\n')
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  it('says nothing while everything is as it was, byte for byte', () => {
    const changed = watchInstallation(root)
    write('scripts/hook.sh', 'exit 0\n')
    write('README.md', 'another\n')
    write('node_modules/x/index.js', '')
    expect(changed()).toBeNull()
  })

  it.each<[string, () => void, unknown]>([
    ['a byte of a file', () => write('scripts/hook.sh', 'exit 1\n'), 'scripts/hook.sh'],
    ['a new file beside the others', () => write('scripts/hooks/pre.cjs', ''), 'scripts/hooks/pre.cjs'],
    ['a server that the plugin had not', () => write('.mcp.json', '{}'), '.mcp.json'],
    ['a skill that the plugin had not', () => write('skills/x/SKILL.md', ''), 'skills/x/SKILL.md'],
    ['a file that is gone', () => rmSync(at('hooks/hooks.json')), 'hooks/hooks.json'],
    ['an installation that is gone', () => rmSync(root, { recursive: true }), '.claude-plugin/plugin.json'],
    ['a file that can no longer be run', () => chmodSync(at('scripts/hook.sh'), 0o600), 'scripts/hook.sh'],
    [
      'a directory that cannot be read',
      () => chmodSync(at('scripts/hooks'), 0),
      expect.stringContaining('scripts/hooks'),
    ],
    [
      'a link in place of a directory',
      () => {
        renameSync(at('scripts/hooks'), at('elsewhere'))
        symlinkSync('../elsewhere', at('scripts/hooks'))
      },
      'scripts/hooks/stop.cjs',
    ],
    [
      'a FIFO in place of a file',
      () => {
        rmSync(at('scripts/hook.sh'))
        execFileSync('mkfifo', [at('scripts/hook.sh')])
      },
      'scripts/hook.sh',
    ],
    [
      'more files than anybody wants to look at',
      () => {
        for (let n = 0; n < 3000; n++) write(`scripts/many/${n}`, '')
      },
      expect.stringMatching(/^scripts\/many\/\d+$/),
    ],
    ['a file of 3 TB', () => truncateSync(at('scripts/hook.sh'), 3e12), 'scripts/hook.sh'],
  ])('names %s', (_, change, path) => {
    const changed = watchInstallation(root)
    change()
    expect(changed()).toEqual(path)
  })
})
