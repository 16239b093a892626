import { chmodSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { containedArgv } from '../../../src/process/containment.ts'
import { probeContainment } from '../../../src/process/probe-containment.ts'
import { runProgram } from '../../../src/process/run-program.ts'
import { needsNamespace, probed, testEnv } from '../../support/processes.ts'
import { scratch } from '../../support/scratch.ts'

const path = testEnv.PATH

async function inside(script: string): Promise<string> {
  const [program = '', ...args] = containedArgv(probed, ['/bin/sh', '-c', script])
  const outcome = await runProgram({ program, args, cwd: '/', env: testEnv })
  return outcome.ok ? outcome.value.stdout.toString() : outcome.error.code
}

/** Runs the rest of its line: a machine may have neither of the real programs. */
const passOn = 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"'

function plant(dir: string, name: string, script: string): void {
  writeFileSync(join(dir, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
}

describe('probeContainment', () => {
  it('falls back and says why, when the tools are not there', async () => {
    const dir = scratch()
    expect(await probeContainment({ path: dir, forbiddenRoot: null })).toEqual({
      level: 'tree',
      reason: 'no shell was found',
    })
    symlinkSync('/bin/sh', join(dir, 'sh'))
    expect(await probeContainment({ path: dir, forbiddenRoot: null })).toEqual({
      level: 'tree',
      reason: 'the programs unshare and setpriv (util-linux) were not found',
    })
  })

  it('falls back and says why, when the kernel says no', async () => {
    const dir = scratch()
    plant(dir, 'setpriv', passOn)
    plant(dir, 'unshare', 'echo "unshare: unshare failed: Operation not permitted" >&2\nexit 1')
    expect(await probeContainment({ path: `${dir}:${path}`, forbiddenRoot: null })).toEqual({
      level: 'tree',
      reason: 'no PID namespace: unshare: unshare failed: Operation not permitted',
    })
  })

  it('does not believe a tool that only pretends', async () => {
    const dir = scratch()
    plant(dir, 'setpriv', passOn)
    plant(dir, 'unshare', passOn)
    expect((await probeContainment({ path: `${dir}:${path}`, forbiddenRoot: null })).level).toBe('tree')
  })

  it('does not take tools out of the project', async () => {
    const project = scratch()
    writeFileSync(join(project, 'unshare'), '#!/bin/sh\necho "2 2"\n')
    chmodSync(join(project, 'unshare'), 0o755)
    const containment = await probeContainment({ path: `${project}:${path}`, forbiddenRoot: project })
    expect(JSON.stringify(containment)).not.toContain(project)
  })
})

describe.runIf(probed.level === 'namespace')(`inside a namespace ${needsNamespace}`, () => {
  it('the runner cannot be seen, nor its environment', async () => {
    expect(await inside('ls /proc | grep -c "^[0-9]"; cat /proc/$PPID/cmdline | tr "\\0" " "')).toMatch(
      /^[1-9]\n.*init/,
    )
  })

  it('orphans are reaped, so nobody waits for a dead one', async () => {
    const script =
      'sh -c "sleep 0.05 >&2 & echo \\$!" | { read -r pid; n=0; ' +
      'while kill -0 $pid 2>/dev/null && [ $n -lt 2000 ]; do n=$((n+1)); sleep 0.002; done; ' +
      'kill -0 $pid 2>/dev/null && echo zombie || echo reaped; }'
    expect(await inside(script)).toBe('reaped\n')
  })

  it('the user is the one outside', async () => {
    expect(await inside('id -u')).toBe(`${process.getuid?.() ?? ''}\n`)
  })
})
