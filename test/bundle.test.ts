import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'

import { tmpdir } from 'node:os'
import { isBuiltin } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { differences, licencesPath, makeBundles, makeFiles, root, type Bundle } from '../build.mjs'
import { version } from '../src/cli/version.ts'
import { rules } from '../src/guard/rules.ts'
import { snapshotForMarker } from '../src/tasks/marker.ts'
import { takeSnapshot } from '../src/tasks/take-snapshot.ts'
import { edit, list, stage, story } from './support/task-list.ts'

const bundles: Bundle[] = await makeBundles()
const committed = (path: string) => readFileSync(join(root, path), 'utf8')

const partNamed = (name: string): string => `scripts/hooks/guard-${name}.cjs`
const isPart = (path: string): boolean => path.startsWith('scripts/hooks/guard-')

describe('the committed bundles', () => {
  it('are what the source makes', async () => {
    expect(differences(await makeFiles())).toEqual([])
  })

  it('are made alike twice', async () => {
    expect(await makeBundles()).toEqual(bundles)
  })

  it('are the command line with its parts, one for each hook, and the parts of the guard', () => {
    const paths = bundles.map(({ path }) => path)
    const hooks = existing('src/hooks').map((file) => `scripts/hooks/${file.replace(/\.ts$/, '.cjs')}`)
    expect(paths).toContain('scripts/ralph.mjs')
    const ofHooks = paths.filter((path) => path.startsWith('scripts/hooks/'))
    expect(ofHooks.filter((path) => !isPart(path)).toSorted()).toEqual([...hooks, 'scripts/hooks/unbash.cjs'])
    expect(ofHooks.filter(isPart)).toEqual(expect.arrayContaining(['cloud', 'databases', 'script'].map(partNamed)))
    expect(new Set(paths).size).toBe(paths.length)
  })

  it('have names without hashes', () => {
    for (const { path, text } of bundles) expect(`${path}\n${text}`).not.toMatch(/-[A-Z0-9]{8}\.mjs/)
  })

  it('start without any package', () => {
    const entry = bundles.find(({ path }) => path === 'scripts/ralph.mjs')
    expect(entry?.packages).toEqual([])
  })
})

describe.each(bundles.map((bundle) => [bundle.path, bundle] as const))('%s', (path, bundle) => {
  it('names no place on the machine that built it', () => {
    const text = committed(path)
    expect(text.includes(`${root}/`)).toBe(false)
    const modules = text.split('\n').filter((line) => /^\s*(?:\/\/ |")\S*node_modules\//.test(line))
    expect(modules).toEqual([])
  })

  it('imports nothing but what node brings along and what is committed beside it', () => {
    const foreign = importsOf(path, committed(path)).filter((specifier) => !isBuiltin(specifier))
    const known = new Set(bundles.map((other) => other.path))
    expect(foreign.map((specifier) => join(dirname(path), specifier)).filter((target) => !known.has(target))).toEqual(
      [],
    )
  })

  it('keeps to its size', () => {
    expect(Buffer.byteLength(committed(path))).toBeLessThanOrEqual(bundle.budget)
  })

  it('is not minified: people must be able to read what they run', () => {
    const longest = Math.max(
      ...committed(path)
        .split('\n')
        .map((line) => line.length),
    )
    expect(longest).toBeLessThan(1000)
  })
})

describe('the search for imports', () => {
  it('sees every way to import', () => {
    const text = `import a from 'a'; import 'b'; export * from 'c'; await import("d"); require("e"); __require('f')`
    expect(importsOf('a.mjs', text).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  })
})

describe('hook bundles', () => {
  const hooks = bundles.filter(({ path }) => path.startsWith('scripts/hooks/'))
  const parser = 'scripts/hooks/unbash.cjs'
  const guard = 'scripts/hooks/pre-tool-use.cjs'
  const textOf = (path: string): string => hooks.find((bundle) => bundle.path === path)?.text ?? ''

  it('contain no package but the shell parser of the guard, and import nothing else', () => {
    for (const { path, text, packages, budget } of hooks) {
      expect([path, packages]).toEqual([path, path === parser ? ['unbash'] : []])
      const imported = importsOf(path, text).filter((specifier) => !isBuiltin(specifier))
      const isBeside = (specifier: string): boolean =>
        hooks.some((other) => join(dirname(path), specifier) === other.path)
      const isGuard = isPart(path) || path === guard
      expect([path, imported.filter((specifier) => !(isGuard && isBeside(specifier)))]).toEqual([path, []])
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(budget)
    }
  })

  it('of the guard have every rule, in the order of the source', () => {
    const text = textOf(guard)
    const names = rules.map(({ name }) => name)
    const parts = hooks.filter(({ path }) => isPart(path)).map((part) => part.text)
    for (const name of names) expect([text, ...parts].some((part) => part.includes(`name: "${name}"`))).toBe(true)
    const stubs = [...text.matchAll(/new RuleApart\("([\w-]+)"/g)].map(([, name = '']) => name)
    expect(stubs).toEqual(names.filter((name) => stubs.includes(name)))
    expect(stubs.length).toBeGreaterThan(50)
  })

  it('of the guard answer together, and deny where one is missing or broken', () => {
    const folder = mkdtempSync(join(tmpdir(), 'ralph hook '))
    const ask = (command: string): string =>
      execFileSync(process.execPath, [join(folder, basename(guard)), '', 'waits'], {
        input: JSON.stringify({ session_id: 's', cwd: folder, tool_name: 'Bash', tool_input: { command } }),
        env: { RALPH_RUN_ID: 'r', RALPH_DIR: 'ralph', HOME: '/home/user', CLAUDE_PROJECT_DIR: folder },
        encoding: 'utf8',
      })
    const answers = (command: string): string => {
      try {
        return ask(command)
      } catch (error) {
        // It ends with 10, so that nobody else's 0 is taken for its answer.
        const { status, stdout } = error as { status: number; stdout: string }
        return status === 10 ? stdout : expect.fail(`it ended with ${status}`)
      }
    }
    try {
      for (const { path, text } of hooks) writeFileSync(join(folder, basename(path)), text)
      expect(answers('git status')).toBe('')
      expect(answers('git log --oneline | head -3')).toBe('')
      expect(answers('git push --force')).toContain('would push by force')
      expect(answers('A=$(date) && docker volume prune')).toContain('would remove what containers have stored')
      rmSync(join(folder, basename(partNamed('git'))))
      writeFileSync(join(folder, basename(partNamed('script'))), 'what?')
      expect(answers('git status')).toContain('"deny"')
      expect(answers('echo a | cat')).toContain('"deny"')
      expect(answers('ls')).toBe('')
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('keep under 60 kB where they are no guard', () => {
    const budgets = hooks.flatMap(({ path, budget }) => (/stop|post-tool-use/.test(path) ? [budget] : []))
    expect(budgets).toEqual([60_000, 60_000])
  })

  it('judge with the same rules as the runner, as CommonJS without anything beside them', () => {
    const folder = mkdtempSync(join(tmpdir(), 'ralph hook '))
    try {
      const stop = hooks.find(({ path }) => path === 'scripts/hooks/stop.cjs')
      const before = list([story('A')])
      const marker = { sessionId: 's', iterationMode: 'implement', ...snapshotForMarker(takeSnapshot(before)) }
      mkdirSync(join(folder, 'ralph'))
      writeFileSync(join(folder, 'hook.cjs'), stop?.text ?? '')
      writeFileSync(join(folder, '.ralph-active'), JSON.stringify(marker))
      writeFileSync(join(folder, 'ralph/tasks.json'), JSON.stringify(edit(before, 'A', stage.approved)))
      const answer = execFileSync(process.execPath, [join(folder, 'hook.cjs'), folder], {
        input: JSON.stringify({ session_id: 's' }),
        env: { CLAUDE_PLUGIN_DATA: folder },
        encoding: 'utf8',
        stdio: ['pipe', 'pipe', 'ignore'],
      })
      expect(JSON.parse(answer)).toMatchObject({
        decision: 'block',
        reason: expect.stringContaining('Implement iterations cannot set passes=true') as string,
      })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

describe('the licences', () => {
  it('are there for every package in a bundle, and for no other', () => {
    const named = [...committed(licencesPath).matchAll(/^(\S+) \d+\.\d+\.\d+\S* \(.+\)$/gm)].map((match) => match[1])
    const bundled = [...new Set(bundles.flatMap(({ packages }) => packages))].toSorted()
    expect(bundled).toContain('commander')
    expect(named).toEqual(bundled)
  })

  it('have a text each', () => {
    const texts = committed(licencesPath)
      .split(/^=+\n.+\n=+$/m)
      .slice(1)
    for (const text of texts) expect(text).toMatch(/copyright/i)
  })
})

describe('somewhere else', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ralph bundle '))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  /** A repository whose bundles are what the source makes, whatever is committed here. */
  async function upToDate(): Promise<Map<string, string>> {
    const files = await makeFiles()
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text, { mode: 0o755 })
    }
    expect(differences(files, folder)).toEqual([])
    return files
  }

  it('a copy of scripts/ runs without node_modules', () => {
    cpSync(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true })
    const text = execFileSync(process.execPath, [join(folder, 'scripts/ralph.mjs'), '--version'], { encoding: 'utf8' })
    expect(text).toBe(`${version}\n`)
  })

  it('an edited, a missing and a left over bundle are found', async () => {
    const files = await upToDate()
    appendFileSync(join(folder, 'scripts/ralph.mjs'), '// edited\n')
    rmSync(join(folder, licencesPath))
    mkdirSync(join(folder, 'scripts/hooks'), { recursive: true })
    writeFileSync(join(folder, 'scripts/hooks/gone.cjs'), '')
    writeFileSync(join(folder, 'scripts/lib/gone.mjs'), '')
    expect(differences(files, folder)).toEqual([
      'scripts/ralph.mjs differs from its source',
      `${licencesPath} is missing`,
      'scripts/hooks/gone.cjs has no source',
      'scripts/lib/gone.mjs has no source',
    ])
  })

  it('a command line that cannot be executed is found', async () => {
    const files = await upToDate()
    chmodSync(join(folder, 'scripts/ralph.mjs'), 0o644)
    expect(differences(files, folder)).toEqual(['scripts/ralph.mjs is not executable'])
  })
})

function existing(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.ts'))
    .toSorted()
}

/** Static and dynamic imports, and calls of any `require`, by the parser. */
function importsOf(path: string, text: string): string[] {
  const { module, program } = parseSync(path, text)
  const imported = module.staticImports.map((entry) => entry.moduleRequest.value)
  const passedOn = module.staticExports.flatMap(({ entries }) =>
    entries.map((entry) => entry.moduleRequest?.value ?? ''),
  )
  const dynamic = module.dynamicImports.map(({ moduleRequest }) => text.slice(moduleRequest.start, moduleRequest.end))
  const literals = dynamic.map((literal) => literal.replaceAll(/^["']|["']$/g, ''))
  return [...imported, ...passedOn, ...literals, ...required(program)].filter((specifier) => specifier !== '')
}

/** Calls, and not text: the demo's project has files in which others are required. */
function* required(node: unknown): Generator<string> {
  if (typeof node !== 'object' || node === null) return
  const {
    type,
    callee,
    arguments: args,
  } = node as {
    type?: string
    callee?: { name?: string }
    arguments?: readonly { value?: unknown }[]
  }
  const [first] = args ?? []
  if (type === 'CallExpression' && /^(?:__)?require\w*$/.test(callee?.name ?? '') && typeof first?.value === 'string') {
    yield first.value
  }
  for (const inner of Object.values(node)) yield* required(inner)
}
