import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The real Claude Code; null where there is none for this platform. */
    claude: string | null
  }
}

const here = import.meta.dirname
const scope = join(here, 'node_modules', '@anthropic-ai')

/** Installs the real programs where they are missing or old, and tells the tests where they are. */
export function setup({ provide }: TestProject): void {
  const wanted = versionIn(here, ({ dependencies }) => dependencies?.['@anthropic-ai/claude-code'])
  const installed = versionIn(join(scope, 'claude-code'), ({ version }) => version)
  if (installed !== wanted) {
    say(`installing Claude Code ${wanted} (some 350 MB) into test/hosts/node_modules`)
    // Its installer would only link the program to where nobody needs it.
    const words = ['ci', '--prefix', here, '--ignore-scripts', '--loglevel', 'error']
    try {
      execFileSync('npm', words, { stdio: 'inherit', timeout: 600_000 })
    } catch (error) {
      return skip(`Claude Code ${wanted} cannot be installed here: ${String(error).split('\n')[0]}`)
    }
  }
  const claude = programIn(scope)
  if (claude === null) return skip(`Claude Code ${wanted} has no program for ${process.platform} ${process.arch}`)
  provide('claude', claude)

  /** In CI they must run; elsewhere a machine without a network has other tests. */
  function skip(why: string): void {
    if (process.env['CI'] !== undefined) throw new Error(why)
    say(`${why}; these tests are skipped`)
    provide('claude', null)
  }
}

interface Manifest {
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
}

function versionIn(directory: string, of: (manifest: Manifest) => string | undefined): string | null {
  const path = join(directory, 'package.json')
  return existsSync(path) ? (of(JSON.parse(readFileSync(path, 'utf8')) as Manifest) ?? null) : null
}

/** npm installs only the package for this platform. The start script of the main package wants a newer node than we do. */
function programIn(directory: string): string | null {
  const candidates = readdirSync(directory)
    .filter((name) => name.startsWith('claude-code-'))
    .map((name) => join(directory, name, 'claude'))
  return candidates.find((path) => existsSync(path)) ?? null
}

const say = (text: string): boolean => process.stderr.write(`test:hosts: ${text}\n`)
