import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Recorded } from '../../src/model/event.ts'
import { LoopProject, type LoopSetup } from './loop-project.ts'
import { until } from './until.ts'

/** A `ralph run` that was started. */
export type Running = PromiseLike<unknown> & { kill(signal: 'SIGKILL'): unknown }

/** Of which part of a run checks are held; `end` are the last ones. */
type CheckedPart = 'implement' | 'review' | 'review-fix' | 'end'

/** A check that passes where there is work. Where it is held it says that it is here, and goes on when the test lets it. */
export const heldCheck =
  'while test -e "$LAB/hold-${RALPH_MODE:-end}"; do touch "$LAB/check.there"; sleep 0.02; done; test -d work'

/** A project whose runs are cut off at a known place, and that knows which of their processes are still there. */
export class HeldProject extends LoopProject {
  constructor(setup: LoopSetup = {}) {
    super(setup)
    this.env['LAB'] = this.root
  }

  /** Until an agent or a check that holds says that it is here. */
  async there(name: string): Promise<void> {
    const sign = join(this.root, `${name}.there`)
    rmSync(sign, { force: true })
    await until(`${name} is there`, () => existsSync(sign), 60_000)
  }

  /** Lets an agent go on, now and whenever it holds again. */
  letGo(name: string): void {
    writeFileSync(join(this.root, `${name}.go`), '')
  }

  holdChecks(part: CheckedPart): void {
    writeFileSync(join(this.root, `hold-${part}`), '')
  }

  freeChecks(): void {
    for (const part of ['implement', 'review', 'review-fix', 'end']) {
      rmSync(join(this.root, `hold-${part}`), { force: true })
    }
  }

  /** Until the journal of the last run has so many events of a kind. */
  async recorded(kind: Recorded['kind'], count = 1): Promise<void> {
    const has = (): boolean => this.written().filter((event) => event.kind === kind).length >= count
    await until(`${count} × ${kind}`, has, 60_000)
  }

  /** The journal while somebody writes it: without a line that is on its way. */
  written(): Recorded[] {
    const runId = this.runs().at(-1)
    const path = runId === undefined ? '' : join(this.runDirectory(runId), 'journal.ndjson')
    const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
    const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n')
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Recorded)
  }

  /** `kill -9`, of the runner alone; when it returns the runner is gone. */
  async kill(run: Running): Promise<void> {
    run.kill('SIGKILL')
    await run
  }

  /**
   * The next run dies, by SIGKILL, when it starts the first git command after an event of this kind, or the first one that
   * has these words in it. Its `git` on PATH sees to it: what is tested knows nothing of that.
   */
  killAt(kind: Recorded['kind'], words = ''): void {
    this.#signalAt('KILL', kind, words)
  }

  /** The same, and that git goes on for ever. */
  killAndOutlive(kind: Recorded['kind']): void {
    this.#signalAt('KILL $PPID; exec sleep 1000; kill -KILL', kind, '')
  }

  /** The same with Ctrl+C. */
  interruptAt(kind: Recorded['kind'], words = ''): void {
    this.#signalAt('INT', kind, words)
  }

  #signalAt(signal: string, kind: string, words: string): void {
    const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
    const order = join(this.root, 'signal')
    writeFileSync(order, '')
    const script = `#!/bin/sh
if [ -e '${order}' ] && tail -qn 1 '${this.state}'/*/runs/*/journal.ndjson 2>/dev/null | grep -q '"kind":"${kind}"'; then
  case "$*" in *'${words}'*) rm '${order}'; kill -${signal} $PPID ;; esac
fi
exec '${git}' "$@"
`
    writeFileSync(join(this.bin, 'git'), script, { mode: 0o755 })
  }

  /** No PID namespace can be had: what outlives the runner lives on. */
  withoutNamespace(): this {
    const tools = join(this.root, 'tools')
    mkdirSync(tools)
    for (const directory of (process.env['PATH'] ?? '').split(':')) {
      for (const name of existsSync(directory) ? readdirSync(directory) : []) {
        if (['unshare', 'setpriv', 'bwrap'].includes(name) || existsSync(join(tools, name))) continue
        symlinkSync(join(directory, name), join(tools, name))
      }
    }
    this.env['PATH'] = `${this.bin}:${tools}`
    return this
  }

  /** Every process that has this place in its arguments or environment, as the host sees them. */
  alive(): string[] {
    return this.#processes().map(({ args }) => args)
  }

  alivePids(): number[] {
    return this.#processes().map(({ pid }) => pid)
  }

  #processes(): { readonly pid: number; readonly args: string }[] {
    return readdirSync('/proc').flatMap((name) => {
      if (!/^\d+$/.test(name) || Number(name) === process.pid) return []
      const args = textOf(`/proc/${name}/cmdline`)
      const isOurs = `${args}\0${textOf(`/proc/${name}/environ`)}`.includes(this.root)
      return isOurs && args !== '' ? [{ pid: Number(name), args: args.replaceAll('\0', ' ').trim() }] : []
    })
  }

  async nobodyLeft(deadlineMs = 1000): Promise<void> {
    await until('nobody is left', () => this.alive().length === 0, deadlineMs).catch((error: unknown) => {
      throw new Error(`still there: ${this.alive().join('\n')}`, { cause: error })
    })
  }

  override remove(): void {
    this.letGo('agent')
    this.freeChecks()
    super.remove()
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error) return ''
    throw error
  }
}
