import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTasks } from '../src/tasks/read-tasks.ts'

const root = join(import.meta.dirname, '..')
const text = (path: string): string => readFileSync(join(root, path), 'utf8')

interface Packages {
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}
interface Manifest extends Packages {
  version: string
  engines: { node: string }
  files: string[]
  bin: Record<string, string>
  scripts: Record<string, string>
}
interface LockFile {
  version: string
  packages: Record<string, { version?: string; resolved?: string; optionalDependencies?: Record<string, string> }>
}
const manifest = JSON.parse(text('package.json')) as Manifest
const lock = JSON.parse(text('package-lock.json')) as LockFile
const plugin = JSON.parse(text('.claude-plugin/plugin.json')) as { name: string; version: string; description: string }
const marketplace = JSON.parse(text('.claude-plugin/marketplace.json')) as {
  plugins: { name: string; source: string; version: string; description: string }[]
}

describe('the version', () => {
  it.each([
    ['package-lock.json', () => lock.version],
    ['package-lock.json, its own entry', () => lock.packages['']?.version],
    ['plugin.json', () => plugin.version],
    ['marketplace.json', () => marketplace.plugins[0]?.version],
    ['the newest entry of CHANGELOG.md', () => /^## (\S+)/m.exec(text('CHANGELOG.md'))?.[1]],
    [
      'ralph --version',
      () => execFileSync(process.execPath, [join(root, 'scripts/ralph.mjs'), '--version'], { encoding: 'utf8' }).trim(),
    ],
  ])('in %s is that of package.json', (_place, version) => {
    expect(version()).toBe(manifest.version)
  })
})

describe('package.json', () => {
  it('needs nothing to be installed with it: what runs is bundled', () => {
    expect(manifest.dependencies).toBeUndefined()
  })

  it('asks for the node that the launcher looks for', () => {
    expect(manifest.engines).toEqual({ node: '>=20.19.0' })
    expect(text('scripts/ralph.sh')).toContain('"$major" -eq 20 ] && [ "$minor" -ge 19 ]')
  })

  it('ships only what is there', () => {
    expect(manifest.files.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  it('ships all of the plugin', () => {
    expect(manifest.files).toEqual(
      expect.arrayContaining(['.claude-plugin', 'hooks', 'scripts', 'skills', 'templates']),
    )
  })

  it('starts an executable file', () => {
    const files = Object.values(manifest.bin)
    expect(files).not.toEqual([])
    for (const path of files) {
      expect(statSync(join(root, path)).mode & 0o111).toBe(0o111)
      expect(text(path).startsWith('#!/usr/bin/env node\n')).toBe(true)
    }
  })
})

/** What the tools need, and what the tests with real agents need, which not everybody installs. */
describe.each(['', 'test/hosts/'])('the packages of "%s"', (directory) => {
  const { dependencies, devDependencies } = JSON.parse(text(`${directory}package.json`)) as Packages
  const wanted = Object.entries({ ...dependencies, ...devDependencies })
  const { packages } = JSON.parse(text(`${directory}package-lock.json`)) as LockFile

  it('are named by exact versions only', () => {
    expect(wanted.length).toBeGreaterThan(0)
    expect(wanted.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([])
  })

  it('are locked without a download address, so that a clone installs from whatever registry it has', () => {
    expect(Object.entries(packages).filter(([, entry]) => entry.resolved !== undefined)).toEqual([])
    expect(text(`${directory}package-lock.json`)).not.toContain('://registry')
    expect(text(`${directory}.npmrc`)).toContain('omit-lockfile-registry-resolved=true')
  })

  it('are locked without holes: npm ci refuses a lock file without the packages for other platforms', () => {
    const holes = Object.values(packages)
      .flatMap(({ optionalDependencies }) => Object.keys(optionalDependencies ?? {}))
      .filter((name) => packages[`node_modules/${name}`]?.version === undefined)
    expect(holes).toEqual([])
  })

  it('are locked in the very versions that are wanted', () => {
    expect(wanted.map(([name]) => [name, packages[`node_modules/${name}`]?.version])).toEqual(wanted)
  })
})

describe('the plugin', () => {
  it('is offered by a marketplace that points at this very directory', () => {
    expect(marketplace.plugins).toMatchObject([{ name: plugin.name, source: './', description: plugin.description }])
  })

  it('leaves its hooks and skills to be found where Claude Code looks by itself', () => {
    expect(plugin).not.toHaveProperty('hooks')
    expect(plugin).not.toHaveProperty('skills')
  })

  it('has the same marketplace.json at the root', () => {
    expect(text('marketplace.json')).toBe(text('.claude-plugin/marketplace.json'))
  })
})

describe('scripts', () => {
  it.each(['scripts/ralph.sh', 'scripts/ralph-init.sh', 'scripts/ralph-archive.sh'])(
    '%s can be executed by sh',
    (path) => {
      expect(statSync(join(root, path)).mode & 0o111).toBe(0o111)
      expect(text(path).startsWith('#!/bin/sh\n')).toBe(true)
      expect(text(path)).not.toContain('\r')
    },
  )

  it('of CI are the test command of the README', () => {
    expect(text('.ci/run')).toMatch(/^npm cit$/m)
    expect(text('.ci/run')).toMatch(/^CI=1 npm run test:hosts$/m)
    expect(text('README.md')).toMatch(/^npm cit$/m)
    expect(manifest.scripts['test']).toBe('npm run check')
  })
})

describe('the README', () => {
  it('shows a task list that is valid', () => {
    const example = /```json\n([\s\S]*?)```/.exec(text('README.md'))?.[1] ?? ''
    expect(readTasks(example)).toMatchObject({ ok: true })
  })

  it('is short', () => {
    expect(text('README.md').split('\n').length).toBeLessThanOrEqual(300)
  })

  it.each(['README.md', 'CONTRIBUTING.md', 'docs/architecture.md', 'docs/plugin.md'])(
    'and the other pages link only to what is there: %s',
    (page) => {
      const targets = [...text(page).matchAll(/\]\(([^)#:]+)\)/g)].map((match) => join(page, '..', match[1] ?? ''))
      expect(targets).not.toEqual([])
      expect(targets.filter((target) => !existsSync(join(root, target)))).toEqual([])
    },
  )
})
