import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The real Claude Code; null where there is none for this platform. */
    claude: string | null
    /** The real codex, as npm starts it; null where there is none for this platform. */
    codex: string | null
    /** The program `srt` of the real sandbox-runtime; null where it cannot work for want of other programs. */
    srt: string | null
  }
}

const here = import.meta.dirname
const modules = join(here, 'node_modules')

/** Installs the real programs where they are missing or old, and tells the tests where they are. */
export function setup({ provide }: TestProject): void {
  const wanted = Object.entries(manifestIn(here)?.dependencies ?? {})
  const missing = wanted.filter(([name, version]) => manifestIn(join(modules, name))?.version !== version)
  if (missing.length > 0) {
    const names = missing.map(([name, version]) => `${name} ${version}`)
    say(`installing ${names.join(' and ')} (some 400 MB each) into test/hosts/node_modules`)
    // Their installers would only link the programs to where nobody needs them.
    const words = ['ci', '--prefix', here, '--ignore-scripts', '--loglevel', 'error']
    try {
      execFileSync('npm', words, { stdio: 'inherit', timeout: 900_000 })
    } catch (error) {
      say(`they cannot be installed here: ${String(error).split('\n')[0]}`)
    }
  }
  provide('claude', told('Claude Code', claudeProgram()))
  provide('codex', contained(told('codex', codexProgram())))
  provide('srt', told('OS sandbox', srtProgram()))
}

interface Manifest {
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
}

function manifestIn(directory: string): Manifest | null {
  const path = join(directory, 'package.json')
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Manifest) : null
}

/** npm installs only the package for this platform. The start script of the main package wants a newer node than we do. */
function claudeProgram(): string | null {
  const scope = join(modules, '@anthropic-ai')
  const candidates = namesIn(scope)
    .filter((name) => name.startsWith('claude-code-'))
    .map((name) => join(scope, name, 'claude'))
  return candidates.find((path) => existsSync(path)) ?? null
}

/** Its start script is what people have: the program itself is a child of it. */
function codexProgram(): string | null {
  const scope = join(modules, '@openai')
  const isThere = namesIn(scope).some((name) => name.startsWith('codex-'))
  return isThere ? join(scope, 'codex', 'bin', 'codex.js') : null
}

/** What sandbox-runtime starts, by the package of Debian that has it. */
const sandboxPackages = { bwrap: 'bubblewrap', socat: 'socat', rg: 'ripgrep' }

/** In CI what is missing is installed, where that can be done without asking anybody. */
function srtProgram(): string | null {
  const srt = join(modules, '@anthropic-ai', 'sandbox-runtime', 'dist', 'cli.js')
  if (!existsSync(srt)) return null
  if (process.platform !== 'linux') return srt
  if (
    missingPackages().length > 0 &&
    process.env['CI'] !== undefined &&
    process.getuid?.() === 0 &&
    isOnPath('apt-get')
  ) {
    const words = missingPackages()
    say(`installing ${words.join(', ')}`)
    execFileSync('apt-get', ['update', '-q'], { stdio: 'inherit', timeout: 300_000 })
    execFileSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...words], {
      stdio: 'inherit',
      timeout: 300_000,
    })
  }
  const missing = missingPackages()
  if (missing.length > 0) say(`not installed: ${missing.join(', ')}`)
  return missing.length === 0 ? srt : null
}

const missingPackages = (): string[] =>
  Object.entries(sandboxPackages).flatMap(([program, name]) => (isOnPath(program) ? [] : [name]))

const isOnPath = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(':').some((directory) => existsSync(join(directory, program)))

/** Directly it works only in a sandbox of its own, which not every machine lets it make; nothing that is installed helps. */
function contained(codex: string | null): string | null {
  if (codex === null) return null
  const home = mkdtempSync(join(tmpdir(), 'ralph codex '))
  try {
    // Codex puts nothing that it needs into a home among temporary files.
    const env = { PATH: process.env['PATH'] ?? '', HOME: home, TMPDIR: join(home, 'tmp') }
    mkdirSync(env.TMPDIR)
    execFileSync(process.execPath, [codex, 'sandbox', '--', 'true'], { env, cwd: home, stdio: 'pipe', timeout: 60_000 })
    return codex
  } catch (error) {
    say(
      `codex cannot make its sandbox on this machine, so its tests are skipped: ${String(error).trim().split('\n').at(-1)}`,
    )
    return null
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

const namesIn = (directory: string): string[] => (existsSync(directory) ? readdirSync(directory) : [])

/** In CI they must run; elsewhere a machine without a network has other tests. */
function told(name: string, program: string | null): string | null {
  if (program !== null) return program
  const why = `there is no ${name} for ${process.platform} ${process.arch} here`
  if (process.env['CI'] !== undefined) throw new Error(why)
  say(`${why}: its tests are skipped`)
  return null
}

const say = (text: string): boolean => process.stderr.write(`test:hosts: ${text}\n`)
