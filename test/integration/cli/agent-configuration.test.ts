import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Agent } from '../../../src/agents/agent.ts'
import { claude } from '../../../src/agents/claude.ts'
import { codex } from '../../../src/agents/codex.ts'
import { gemini } from '../../../src/agents/gemini.ts'
import { userDirectory } from '../../../src/agents/user-directory.ts'
import { configureAgent, type AgentConfiguration } from '../../../src/cli/agent-configuration.ts'
import { scratch } from '../../support/scratch.ts'

describe('the configuration of an agent', () => {
  let root: string
  let home: string
  const model = 'model = "the-users"\n'
  const read = (name: string): string => readFileSync(join(home, name), 'utf8')

  beforeEach(() => {
    root = scratch()
    home = join(root, 'state', 'home')
    mkdirSync(join(root, 'user', '.codex'), { recursive: true })
    writeFileSync(join(root, 'user', '.codex', 'config.toml'), model)
    writeFileSync(join(root, 'user', '.codex', 'auth.json'), '{}')
  })

  function configure(
    agent: Agent = codex,
    env: Record<string, string> = { HOME: join(root, 'user') },
    hidesHome = false,
    elsewhere = false,
  ): AgentConfiguration {
    const directories = { given: join(root, 'state'), home }
    const made = configureAgent(agent, { directories, pluginDir: null, project: '/project', env, hidesHome, elsewhere })
    if (!made.ok) throw new Error(made.error.reason)
    return made.value
  }

  it("is a private directory with the user's choices, the instructions and a link to the login", () => {
    const instructions = join(root, 'instructions.md')
    writeFileSync(instructions, 'Indent with tabs.\n')
    expect(configure().openHome(instructions)).toEqual({ ok: true, value: { CODEX_HOME: home } })
    expect(lstatSync(home).mode & 0o777).toBe(0o700)
    expect(lstatSync(join(home, 'config.toml')).mode & 0o777).toBe(0o600)
    expect(read('config.toml').startsWith(model)).toBe(true)
    expect(read('AGENTS.md')).toBe('Indent with tabs.\n')
    expect(readlinkSync(join(home, 'auth.json'))).toBe(join(root, 'user', '.codex', 'auth.json'))
  })

  it('has a copy of the login for an agent on another machine, which has none of our files', () => {
    configure(codex, { HOME: join(root, 'user') }, false, true).openHome(null)
    expect(lstatSync(join(home, 'auth.json')).isFile()).toBe(true)
    expect(read('auth.json')).toBe('{}')
    rmSync(join(root, 'user', '.codex', 'auth.json'))
    configure(codex, { HOME: join(root, 'user') }, false, true).openHome(null)
    expect(existsSync(join(home, 'auth.json'))).toBe(false)
  })

  it('has nothing in it of an earlier start, and does not follow what an agent made of it', () => {
    const configuration = configure()
    configuration.openHome(null)
    const outside = join(root, 'outside')
    mkdirSync(outside)
    writeFileSync(join(outside, 'kept'), '')
    writeFileSync(join(home, 'AGENTS.override.md'), 'planted')
    rmSync(join(home, 'config.toml'))
    symlinkSync(join(outside, 'kept'), join(home, 'config.toml'))
    symlinkSync(outside, join(home, 'skills'))
    configuration.openHome(null)
    expect(readdirSync(home).toSorted()).toEqual(['auth.json', 'config.toml'])
    expect(readFileSync(join(outside, 'kept'), 'utf8')).toBe('')
    rmSync(home, { recursive: true })
    symlinkSync(outside, home)
    configuration.openHome(null)
    expect(readdirSync(outside)).toEqual(['kept'])
    expect(lstatSync(home).isDirectory()).toBe(true)
  })

  it("is gone afterwards, and the user's login is not", () => {
    const configuration = configure()
    configuration.openHome(null)
    expect(configuration.closeHome().ok).toBe(true)
    expect(existsSync(home)).toBe(false)
    expect(existsSync(join(root, 'user', '.codex', 'auth.json'))).toBe(true)
  })

  it('is that of the start of the run, whatever becomes of the file later', () => {
    const configuration = configure()
    writeFileSync(join(root, 'user', '.codex', 'config.toml'), 'model = "planted"\n')
    configuration.openHome(null)
    expect(read('config.toml')).not.toContain('planted')
  })

  it('follows a link of the user to where they keep such files', () => {
    const path = join(root, 'user', '.codex', 'config.toml')
    rmSync(path)
    writeFileSync(join(root, 'dotfile'), 'model = "linked"\n')
    symlinkSync(join(root, 'dotfile'), path)
    configure().openHome(null)
    expect(read('config.toml')).toContain('model = "linked"')
  })

  it.each([
    ['is a FIFO', (path: string) => execFileSync('mkfifo', [path])],
    ['is a directory', (path: string) => mkdirSync(path)],
    ['is a link to itself', (path: string) => symlinkSync(path, path)],
    ['is not text', (path: string) => writeFileSync(path, Buffer.from([0xff, 0xfe, 0]))],
    ['is missing', () => undefined],
  ])('does without the file of a user that %s', (_, make) => {
    const path = join(root, 'user', '.codex', 'config.toml')
    rmSync(path)
    make(path)
    expect(configure().openHome(null).ok).toBe(true)
    expect(read('config.toml')).not.toContain('model =')
  })

  it('is where its variable says, else in the home, else nowhere', () => {
    const { userConfig } = codex
    if (userConfig === null) throw new Error('codex has one')
    expect(userDirectory(userConfig, { CODEX_HOME: '/c', HOME: '/h' })).toBe('/c')
    expect(userDirectory(userConfig, { CODEX_HOME: '', HOME: '/h' })).toBe('/h/.codex')
    expect(userDirectory(userConfig, {})).toBeNull()
    expect(configure(codex, {}).openHome(null).ok).toBe(true)
    expect(readdirSync(home)).toEqual(['config.toml'])
  })

  it('is a file of settings for an agent that takes one, and no directory', () => {
    mkdirSync(join(root, 'user', '.claude'))
    writeFileSync(join(root, 'user', '.claude', 'settings.json'), '{"model":"the-users"}')
    const configuration = configure(claude)
    const file = join(root, 'state', 'claude-settings.json')
    expect(configuration.placeSettings()).toEqual({ ok: true, value: file })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ model: 'the-users' })
    // Whatever the last agent has made of it.
    writeFileSync(file, '{"disableAllHooks":true}')
    configuration.placeSettings()
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ model: 'the-users', disableAllHooks: false })
    expect(configuration.openHome(null)).toEqual({ ok: true, value: {} })
    expect(existsSync(home)).toBe(false)
  })
  it('is, in a box that hides the home of the user, a directory with nothing but the login', () => {
    mkdirSync(join(root, 'user', '.claude'))
    for (const name of ['.credentials.json', 'settings.json']) writeFileSync(join(root, 'user', '.claude', name), '{}')
    const configuration = configure(claude, { HOME: join(root, 'user') }, true)
    expect(configuration.openHome(null)).toEqual({ ok: true, value: { CLAUDE_CONFIG_DIR: home } })
    expect(readdirSync(home)).toEqual(['.credentials.json'])
    expect(readlinkSync(join(home, '.credentials.json'))).toBe(join(root, 'user', '.claude', '.credentials.json'))
    expect(configuration.closeHome()).toEqual({ ok: true, value: undefined })
    expect(existsSync(home)).toBe(false)
  })

  it('is a home of its own where no variable names the directory of an agent', () => {
    mkdirSync(join(root, 'user', '.gemini'))
    for (const name of ['oauth_creds.json', 'settings.json']) writeFileSync(join(root, 'user', '.gemini', name), '{}')
    writeFileSync(join(root, 'user', '.gitconfig'), '[user]\n\tname = User\n')
    const configuration = configure(gemini, { HOME: join(root, 'user') }, true)
    expect(configuration.openHome(null)).toMatchObject({ ok: true, value: { HOME: home } })
    expect(readdirSync(home).toSorted()).toEqual(['.gemini', '.gitconfig'])
    expect(readdirSync(join(home, '.gemini'))).toEqual(['oauth_creds.json'])
  })
})
