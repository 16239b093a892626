import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { claude } from '../../../src/agents/claude.ts'
import { codex } from '../../../src/agents/codex.ts'
import { amp } from '../../../src/agents/amp.ts'
import { askVersion } from '../../../src/doctor/ask-version.ts'
import { findProject } from '../../../src/doctor/find-project.ts'
import { loginSeen } from '../../../src/doctor/login-seen.ts'
import type { Place } from '../../../src/doctor/probe.ts'
import { probeNode } from '../../../src/doctor/probe-node.ts'
import { probeState } from '../../../src/doctor/probe-state.ts'
import { newMark, processesWith } from '../../support/processes.ts'
import { scratch } from '../../support/scratch.ts'

let root: string
beforeEach(() => {
  root = scratch()
})

function install(script: string, first = '#!/bin/sh'): string {
  const path = join(root, 'program')
  writeFileSync(path, `${first}\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

const ask = (program: string, timeoutMs = 20_000) =>
  askVersion({ program, args: ['--version'], path: '/usr/bin:/bin', home: root, timeoutMs })

describe('a program that is asked for its version', () => {
  it.each([
    ['echo codex-cli 0.166.0', { kind: 'version', version: '0.166.0' }],
    ['echo 1.2.3 >&2', { kind: 'version', version: '1.2.3' }],
    ['echo hello', { kind: 'none' }],
    ['true', { kind: 'none' }],
    ['exit 3', { kind: 'failed', how: 'it ended with 3' }],
    ['echo; echo "  no binary" >&2; exit 1', { kind: 'failed', how: 'it ended with 1: no binary' }],
    ['printf "\\033[2J\\rgone" >&2; exit 1', { kind: 'failed', how: 'it ended with 1: \\u{1b}[2J\\u{d}gone' }],
    ['kill -9 $$', { kind: 'failed', how: 'it died of SIGKILL' }],
  ])('and does: %s', async (script, answer) => {
    expect(await ask(install(script))).toEqual(answer)
  })

  it('gets no stdin, no key, no place in the project, and that one option', async () => {
    const seen = join(root, 'seen')
    process.env['SOME_API_KEY'] = 'secret'
    try {
      await ask(install(`{ cat; echo "$# $1 $PWD"; env; } > '${seen}'; echo 1.0`))
    } finally {
      delete process.env['SOME_API_KEY']
    }
    const [first, ...env] = readFileSync(seen, 'utf8').trimEnd().split('\n')
    expect(first).toBe('1 --version /')
    const names = env.map((line) => line.split('=')[0] ?? '').filter((name) => name !== '_' && name !== 'PWD')
    expect(names.toSorted()).toEqual(
      ['BROWSER', 'DISABLE_AUTOUPDATER', 'HOME', 'LC_ALL', 'NO_COLOR', 'PATH', 'TERM'].toSorted(),
    )
  })

  it('is ended where it does not stop to talk', async () => {
    const marker = join(root, 'said-all')
    // More than a pipe holds.
    expect(await ask(install(`head -c 4000000 /dev/zero; : > '${marker}'`))).toEqual({ kind: 'none' })
    expect(existsSync(marker)).toBe(false)
  })

  it('is ended with its children where it says nothing', async () => {
    const mark = newMark()
    expect(await ask(install(`sh -c ': ${mark}; read never' < '${fifo()}' & wait`), 300)).toEqual({
      kind: 'too-slow',
      timeoutMs: 300,
    })
    expect(processesWith(mark)).toEqual([])
  })

  it('may be no program at all', async () => {
    expect(await ask(install('', '#!/nowhere/at-all'))).toEqual({
      kind: 'failed',
      how: 'it could not be started (ENOENT)',
    })
    expect(await ask(join(root, 'missing'))).toMatchObject({ kind: 'failed' })
  })
})

function fifo(): string {
  const path = join(root, 'fifo')
  execFileSync('mkfifo', [path])
  return path
}

describe('a login', () => {
  const write = (path: string, text = 'key'): void => {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text)
  }

  it('is seen by a variable that has a value', () => {
    expect(loginSeen(claude, { HOME: root, ANTHROPIC_API_KEY: 'key' })).toBe('seen')
    expect(loginSeen(claude, { HOME: root, ANTHROPIC_API_KEY: '' })).toBe('not-seen')
    expect(loginSeen(claude, {})).toBe('not-seen')
  })

  it("is seen by a file in the agent's own directory, or in the home", () => {
    expect(loginSeen(codex, { HOME: root })).toBe('not-seen')
    write('.codex/auth.json')
    expect(loginSeen(codex, { HOME: root })).toBe('seen')
    expect(loginSeen(codex, { HOME: root, CODEX_HOME: join(root, 'other') })).toBe('not-seen')
    write('other/auth.json')
    expect(loginSeen(codex, { CODEX_HOME: join(root, 'other') })).toBe('seen')
    write('.local/share/amp/secrets.json')
    expect(loginSeen(amp, { HOME: root })).toBe('seen')
  })

  it('is no empty file, no directory, no FIFO, no link to nowhere', () => {
    write('.codex/auth.json', '')
    expect(loginSeen(codex, { HOME: root })).toBe('not-seen')
    mkdirSync(join(root, 'a/auth.json'), { recursive: true })
    expect(loginSeen(codex, { CODEX_HOME: join(root, 'a') })).toBe('not-seen')
    mkdirSync(join(root, 'b'))
    execFileSync('mkfifo', [join(root, 'b/auth.json')])
    expect(loginSeen(codex, { CODEX_HOME: join(root, 'b') })).toBe('not-seen')
    mkdirSync(join(root, 'c'))
    symlinkSync('nowhere', join(root, 'c/auth.json'))
    expect(loginSeen(codex, { CODEX_HOME: join(root, 'c') })).toBe('not-seen')
    expect(loginSeen(codex, { CODEX_HOME: 'relative' })).toBe('not-seen')
  })

  it('is nothing that one could tell of an agent that names none', () => {
    expect(loginSeen({ ...claude, login: null }, { HOME: root })).toBeNull()
  })
})

describe('the project', () => {
  it('is the work tree around a directory', () => {
    mkdirSync(join(root, 'project/.git/objects'), { recursive: true })
    mkdirSync(join(root, 'project/src/.git'), { recursive: true })
    mkdirSync(join(root, 'project/src/deep'), { recursive: true })
    expect(findProject(join(root, 'project/src/deep'), '/nobody')).toBe(join(root, 'project'))
    expect(findProject(join(root, 'project'), '')).toBe(join(root, 'project'))
    expect(findProject(root, '/nobody')).toBeNull()
  })

  it('may be a linked work tree, whose .git is a file', () => {
    writeFileSync(join(root, '.git'), 'gitdir: /elsewhere\n')
    expect(findProject(root, '/nobody')).toBe(root)
  })

  it('is not the home of somebody who keeps their dot files in git: programs are there', () => {
    mkdirSync(join(root, '.git/objects'), { recursive: true })
    mkdirSync(join(root, 'home'))
    expect(findProject(root, root)).toBeNull()
    expect(findProject(root, join(root, 'home'))).toBeNull()
    expect(findProject(root, `${root}-2`)).toBe(root)
  })
})

describe('the state directory', () => {
  const place = (env: Record<string, string>, home = root): Place => ({
    places: { path: '', forbiddenRoot: null },
    env,
    home,
    node: { path: '/node', version: '20.18.0' },
    timeoutMs: 1000,
    signal: new AbortController().signal,
  })

  it('may be made where something writable is', async () => {
    expect(await probeState(place({}))).toMatchObject({ state: 'ok', path: join(root, '.local/state/ralph') })
  })

  it.each([
    ['in a file', { RALPH_STATE_DIR: '/dev/null/x' }, 'ENOTDIR'],
    ['not absolute', { RALPH_STATE_DIR: 'x' }, 'RALPH_STATE_DIR is not an absolute path'],
  ])('cannot be %s', async (_, env, why) => {
    const found = await probeState(place(env))
    expect(found.state).toBe('bad')
    expect(found.why).toContain(why)
  })

  it('needs a home where nothing else is named', async () => {
    expect(await probeState(place({}, ''))).toMatchObject({ state: 'bad', why: 'HOME is not an absolute path: "".' })
  })

  it('and an old node is named', async () => {
    expect(await probeNode(place({}))).toMatchObject({ state: 'old', version: '20.18.0' })
  })
})
