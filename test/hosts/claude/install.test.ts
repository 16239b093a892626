import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bash, ClaudeLab, claudeProgram } from './lab.ts'
import { says } from './messages-api.ts'
import type { Stream } from './stream.ts'

const root = new URL('../../../', import.meta.url).pathname
const git = (...words: string[]): string => execFileSync('git', words, { encoding: 'utf8', stdio: 'pipe' })

/** What a stranger gets: the committed tree, without node_modules and without anything that was only built. */
function clone(lab: ClaudeLab): string {
  const directory = join(lab.root, 'clone')
  git('clone', '-q', '--no-local', '--depth', '1', `file://${root}`, directory)
  return directory
}

describe.skipIf(claudeProgram === null)('the plugin, installed into the real Claude Code', () => {
  describe.each([
    ['in place, from the clone as a marketplace', (cloned: string) => cloned],
    ['as a copy in its cache, from git', marketplaceWithGit],
  ] as const)('%s', (layout, marketplace) => {
    let lab: ClaudeLab
    let cloned: string
    let session: Stream
    let steps: { readonly exitCode: number | undefined; readonly text: string }[]

    beforeAll(async () => {
      lab = await ClaudeLab.open()
      cloned = clone(lab)
      steps = [
        await lab.claude('plugin', 'marketplace', 'add', marketplace(cloned)),
        await lab.claude('plugin', 'install', 'ralph@ralph'),
      ]
      session = await lab.session('Say hi.', { answers: [says(bash('echo hi')), says(bash('exit 7'))] })
    })
    afterAll(() => lab.close())

    const place = (): string =>
      (session.init['plugins'] as { name: string; path: string }[]).find(({ name }) => name === 'ralph')?.path ?? ''

    it('is added and installed without a question', () => {
      expect(steps.map(({ text, exitCode }) => `${exitCode} ${text}`)).toEqual([
        expect.stringMatching(/^0 .*Success/s),
        expect.stringMatching(/^0 .*Success/s),
      ])
    })

    it('is loaded from there, whole', () => {
      const { plugins, plugin_errors: errors } = session.init
      expect(plugins).toContainEqual(expect.objectContaining({ name: 'ralph', source: 'ralph@ralph' }))
      if (layout.startsWith('in place')) expect(place()).toBe(cloned)
      else expect(place()).toContain(`${lab.config}/plugins/cache/ralph`)
      expect(errors).toBeUndefined()
      const skills = readdirSync(join(cloned, 'skills')).map((name) => `ralph:${name}`)
      expect(skills).toHaveLength(5)
      expect(session.init['skills']).toEqual(expect.arrayContaining(skills))
      expect(session.init['slash_commands']).toEqual(expect.arrayContaining(skills))
    })

    it('has every hook called, of which none has anything to say to a stranger', () => {
      expect(session.hooks.map(({ name }) => name)).toEqual([
        'SessionStart:startup',
        'PreToolUse:Bash',
        'PostToolUse:Bash',
        'PreToolUse:Bash',
        'PostToolUseFailure:Bash',
        'Stop',
      ])
      for (const { stdout, stderr, exitCode, outcome } of session.hooks) {
        expect({ stdout, stderr, exitCode, outcome }).toEqual({
          stdout: '',
          stderr: '',
          exitCode: 0,
          outcome: 'success',
        })
      }
      expect(session.result).toMatchObject({ subtype: 'success', result: 'Done.', permission_denials: [] })
    })

    it('brings the command along, which needs nothing installed', () => {
      const { PATH = '', HOME = '' } = lab.env
      const run = (...words: string[]) =>
        execFileSync(join(place(), 'scripts/ralph.sh'), words, { env: { PATH, HOME }, encoding: 'utf8' })
      expect(run('--version')).toMatch(/^\d+\.\d+\.\d+/m)
    })

    it('runs a loop from there, with its own hooks', async () => {
      lab.ralph = join(place(), 'scripts', 'ralph.mjs')
      const { exitCode } = await lab.run(['--agent-arg', '--include-hook-events'])
      expect(exitCode).toBe(0)
      for (const { init, hooks } of lab.streams()) {
        expect(init['plugins']).toContainEqual(expect.objectContaining({ path: place(), source: 'ralph@inline' }))
        expect(hooks.map(({ outcome }) => outcome)).toContain('success')
      }
    })
  })

  /** A marketplace beside it that names the repository. */
  function marketplaceWithGit(cloned: string): string {
    const directory = `${cloned}-market`
    mkdirSync(join(directory, '.claude-plugin'), { recursive: true })
    const plugins = [{ name: 'ralph', source: { source: 'url', url: `file://${cloned}/.git` } }]
    const market = { name: 'ralph', owner: { name: 'Somebody' }, plugins }
    writeFileSync(join(directory, '.claude-plugin', 'marketplace.json'), JSON.stringify(market))
    return directory
  }

  describe('is valid, without a warning', () => {
    let lab: ClaudeLab
    beforeAll(async () => {
      lab = await ClaudeLab.open()
      clone(lab)
    })
    afterAll(() => lab.close())

    it.each([
      ['the whole of it', ''],
      ['its manifest', '.claude-plugin/plugin.json'],
      ['the marketplace', '.claude-plugin/marketplace.json'],
      ['the marketplace at the root', 'marketplace.json'],
    ])('%s', async (_, path) => {
      const { exitCode, text } = await lab.claude('plugin', 'validate', join(lab.root, 'clone', path))
      expect(text).toContain('Validation passed')
      // What a catalogue would like to have besides (an icon) is another list.
      expect(text).not.toMatch(/Found \d+ (?:warning|error)/)
      expect(exitCode).toBe(0)
    })
  })
})
