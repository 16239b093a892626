import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { processesWith } from './processes.ts'

export type Face = 'sbx' | 'docker-sandbox'

/** The faults of the real ones, see test/fixtures/sandbox/fake-cli.mjs. */
export interface Knobs {
  readonly banner?: boolean
  readonly stale?: boolean
  readonly signedOut?: boolean
  readonly listKey?: 'vms' | 'sandboxes'
  readonly mergedStreams?: boolean
  /** So many times a name is held that no list has. */
  readonly leakedNames?: number
  /** So many times an exec does nothing and says so with exit code 0; only of commands that have this text. */
  readonly emptyExec?: number
  readonly emptyExecOf?: string
  readonly failExecOf?: string
  /** Subcommands that wait for a person. */
  readonly hangs?: readonly string[]
  /** docker sandbox: exec starts a box that was stopped, as sbx's does. */
  readonly execStarts?: boolean
}

const user = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']
const unshare = ['unshare', ...user, '--fork', '--pid', '--mount', '--mount-proc', '--kill-child=KILL', '--']

/** A machine must have a world of its own: whoever ends all processes in it would else end ours. */
export const machinesWork: boolean =
  process.platform === 'linux' &&
  spawnSync(unshare[0] ?? '', [...unshare.slice(1), 'sh', '-c', 'mount -t tmpfs tmpfs /home && test $$ = 1']).status ===
    0

/** For titles of tests that are skipped without one. */
export const needsMachines = '(needs namespaces of processes and mounts)'

export const realDocker: string | null =
  ['/usr/local/bin/docker', '/usr/bin/docker'].find((path) => existsSync(path)) ?? null

const cli = new URL('../fixtures/sandbox/fake-cli.mjs', import.meta.url).pathname

/** One of the two programs on a PATH of its own, with the machines it has made. */
export class FakeSandbox {
  readonly directory = mkdtempSync(join(tmpdir(), 'fv-'))
  readonly bin = join(this.directory, 'bin')
  /** Where docker looks for plugins. */
  readonly dockerConfig = join(this.directory, 'docker')
  readonly face: Face

  constructor(face: Face, { hide = [], path = process.env['PATH'] ?? '', docker = realDocker }: FakeOptions = {}) {
    this.face = face
    mkdirSync(this.bin)
    // Asked at each call of docker's, and node takes its time.
    const metadata = '{"SchemaVersion":"0.1.0","Vendor":"Test","Version":"v0.12.0","ShortDescription":"A fake"}'
    const asked = `[ "$1" = docker-cli-plugin-metadata ] && { echo '${metadata}'; exit; }`
    const fake = `#!/bin/sh\n${asked}\nexec '${process.execPath}' '${cli}' ${face} '${this.directory}' "$@"\n`
    if (face === 'sbx') writeFileSync(join(this.bin, 'sbx'), fake, { mode: 0o755 })
    else {
      const plugins = join(this.dockerConfig, 'cli-plugins')
      mkdirSync(plugins, { recursive: true })
      writeFileSync(join(plugins, 'docker-sandbox'), fake, { mode: 0o755 })
      // A client dispatches to a plugin by its name, with its own word first.
      const shim = `#!/bin/sh\nexec '${join(plugins, 'docker-sandbox')}' "$@"\n`
      const real = `#!/bin/sh\nexec '${docker}' "$@"\n`
      writeFileSync(join(this.bin, 'docker'), docker === null ? shim : real, { mode: 0o755 })
    }
    this.#write('machine.json', { unshare, hide, path, lagMs: 60 })
  }

  get env(): Record<string, string> {
    return { PATH: `${this.bin}:${process.env['PATH'] ?? ''}`, DOCKER_CONFIG: this.dockerConfig }
  }

  turn(knobs: Knobs): this {
    this.#write('knobs.json', knobs)
    return this
  }

  /** null: nobody has chosen one. */
  policy(preset: 'balanced' | 'deny-all' | 'allow-all' | null): this {
    this.#write('policy.json', { preset, allowed: {} })
    return this
  }

  boxes(): Record<string, { readonly template: string; readonly workspaces: readonly string[]; readonly pid: number }> {
    return this.#read('boxes.json', {})
  }

  calls(): { readonly words: readonly string[]; readonly stdin: string; readonly env: readonly string[] }[] {
    const path = join(this.directory, 'calls.ndjson')
    const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
    return lines
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as ReturnType<FakeSandbox['calls']>[number])
  }

  /** The first words of all calls of a kind. */
  callsOf(...words: readonly string[]): readonly (readonly string[])[] {
    return this.calls()
      .map((call) => call.words)
      .filter((call) => words.every((word, index) => call[index] === word))
  }

  /** As a person would call it. */
  call(...args: readonly string[]): string {
    const program = join(this.bin, this.face === 'sbx' ? 'sbx' : 'docker')
    const words = this.face === 'sbx' ? args : ['sandbox', ...args]
    return execFileSync(program, words, {
      env: { ...this.env, HOME: this.directory },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }

  readJson(name: string): unknown {
    return this.#read(name, null)
  }

  /** Ends all machines and removes what they were. */
  end(): void {
    const own = new Set(Object.values(this.boxes()).map(({ pid }) => pid))
    for (const { pid } of processesWith(this.directory)) if (own.has(pid)) process.kill(pid, 'SIGKILL')
    rmSync(this.directory, { recursive: true, force: true, maxRetries: 5 })
  }

  #read<T>(name: string, otherwise: T): T {
    const path = join(this.directory, name)
    return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T) : otherwise
  }

  #write(name: string, value: unknown): void {
    writeFileSync(join(this.directory, name), JSON.stringify(value))
  }
}

export interface FakeOptions {
  /** Directories of the host's that are not in the machine, but for the workspaces. */
  readonly hide?: readonly string[]
  /** PATH in the machine. */
  readonly path?: string
  /** The client that dispatches to the plugin; null: a stand-in. */
  readonly docker?: string | null
}
