import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, inject, it } from 'vitest'
import { bash, ClaudeLab, claudeProgram } from '../claude/lab.ts'
import { says } from '../claude/messages-api.ts'
import { pathWithSrt } from './lab.ts'

const isHere = claudeProgram !== null && inject('srt') !== null

describe.skipIf(!isHere)('the real Claude Code in the OS sandbox', () => {
  let lab: ClaudeLab
  afterEach(() => lab.close())

  async function open(stories: number): Promise<ClaudeLab> {
    lab = await ClaudeLab.open({ stories, files: { 'CLAUDE.md': 'Indent with tabs.\n' } })
    const srt = join(lab.root, 'srt')
    mkdirSync(srt)
    lab.env['PATH'] = `${pathWithSrt(srt)}:${lab.env['PATH'] ?? ''}`
    return lab
  }

  it('completes two stories, of which one is sent back once, with the hooks of the plugin at work', async () => {
    await open(2)
    let isSentBack = false
    lab.acts({
      review: (story, { turn }) => {
        if (story === 'US-001' && !isSentBack) {
          isSentBack = turn > 0
          return [lab.rejects('1. It says v1 and must say v2.')]
        }
        return lab.honest('review', story)
      },
    })
    const { exitCode, events, stdout } = await lab.run([
      '--isolation',
      'os',
      '--check',
      'test -f work/US-001.txt',
      '--agent-arg',
      '--include-hook-events',
    ])
    expect(stdout).toContain('Complete')
    expect(exitCode).toBe(0)
    expect(lab.read('work/US-001.txt')).toBe('v2\n')
    expect(events.find((event) => event.kind === 'isolation.chosen')).toMatchObject({ backend: 'os' })
    const finished = events.filter((event) => event.kind === 'agent.finished')
    expect(finished.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 6 }, () => 'succeeded'))
    for (const { init, hooks } of lab.streams()) {
      expect(init['plugins']).toContainEqual(expect.objectContaining({ name: 'ralph', source: 'ralph@inline' }))
      expect(init['plugin_errors']).toBeUndefined()
      expect(hooks.map(({ event }) => event)).toContain('Stop')
      for (const hook of hooks) expect(hook).toMatchObject({ stdout: '', stderr: '', exitCode: 0, outcome: 'success' })
    }
    // Nothing of the box is left in the project or its git directory.
    expect(lab.git('status', '--porcelain')).toBe('')
    for (const name of ['commondir', 'modules', 'worktrees', 'config.worktree', 'objects/info/alternates']) {
      expect(existsSync(join(lab.project, '.git', name))).toBe(false)
    }
  })

  it('can neither write nor read outside, by Bash or by Write or by Read, and reaches no other host', async () => {
    await open(1)
    const outside = join(lab.root, 'outside')
    mkdirSync(outside)
    mkdirSync(join(lab.home, '.ssh'))
    writeFileSync(join(lab.home, '.ssh', 'id_ed25519'), 'the private key\n')
    writeFileSync(join(lab.home, '.bashrc'), '# mine\n')
    mkdirSync(lab.config, { recursive: true })
    writeFileSync(join(lab.config, 'settings.json'), '{}')
    lab.acts({
      implement: (story) => [
        says(
          bash(`echo bash > '${outside}/bash'; echo bash > /usr/local/ralph-canary; echo x >> '${lab.home}/.bashrc'`),
        ),
        says({ tool: 'Write', input: { file_path: join(outside, 'write'), content: 'write\n' } }),
        says({ tool: 'Write', input: { file_path: join(lab.home, '.zshrc'), content: 'write\n' } }),
        // The guard would see plainer ones.
        says(bash(`cd '${lab.home}' && node -e "fs.writeFileSync('.cl' + 'aude/settings.json', '{\\"hooks\\":{}}')"`)),
        says({ tool: 'Read', input: { file_path: join(lab.home, '.ssh', 'id_ed25519') } }),
        says(bash(`cat '${lab.home}/.ssh/id_ed25519'; ls '${lab.config}'`)),
        says(
          bash(
            "node -e \"fetch('http://example.invalid').then(() => console.log('REACHED'), () => console.log('not reached'))\"",
          ),
        ),
        says(bash('curl -sS -m 20 http://example.invalid/ || echo refused')),
        ...lab.honest('implement', story),
      ],
    })
    const { exitCode, stdout } = await lab.run(['--isolation', 'os'])
    expect(stdout).toContain('Complete')
    expect(exitCode).toBe(0)
    expect(existsSync(join(outside, 'bash')) || existsSync(join(outside, 'write'))).toBe(false)
    expect(existsSync('/usr/local/ralph-canary')).toBe(false)
    expect(readFileSync(join(lab.home, '.bashrc'), 'utf8')).toBe('# mine\n')
    expect(existsSync(join(lab.home, '.zshrc'))).toBe(false)
    expect(readFileSync(join(lab.config, 'settings.json'), 'utf8')).toBe('{}')
    const told = JSON.stringify(lab.asked('implement').at(-1)?.results)
    expect(told).not.toContain('the private key')
    expect(told).not.toContain('REACHED')
    expect(told).toContain('Connection blocked by network allowlist')
    expect(told).toContain('EROFS')
  })
})
