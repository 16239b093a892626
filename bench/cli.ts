import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { atMost, interleave, type Row } from './measure.ts'

const scripts = join(import.meta.dirname, '../scripts')

/** How long a person waits for the command line, beside the start of a bare node. */
export async function cli(): Promise<Row[]> {
  const bundle = join(scripts, 'ralph.mjs')
  const launcher = join(scripts, 'ralph.sh')
  const times = await interleave(30, {
    node: () => start(process.execPath, ['-e', '0']),
    nodeVersion: () => start(process.execPath, ['--version']),
    help: () => start(process.execPath, [bundle, '--help']),
    version: () => start(process.execPath, [bundle, '--version']),
    launcherHelp: () => start(launcher, ['--help']),
    launcherVersion: () => start(launcher, ['--version']),
  })
  // The launcher asks node for its version first; that is part of what it is measured against.
  const launcherFloor = times.node + times.nodeVersion
  return [
    atMost('ralph --help / node -e 0', times.help, times.node, 1.6),
    atMost('ralph --version / node -e 0', times.version, times.node, 1.6),
    atMost('ralph.sh --help / node --version + node -e 0', times.launcherHelp, launcherFloor, 1.6),
    atMost('ralph.sh --version / node --version + node -e 0', times.launcherVersion, launcherFloor, 1.6),
  ]
}

function start(program: string, args: readonly string[]): void {
  const { status, error } = spawnSync(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed`, { cause: error })
}
