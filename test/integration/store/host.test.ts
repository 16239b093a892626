import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { thisHost } from '../../../src/store/host.ts'
import { deadPid } from '../../support/stale-lock.ts'
import { until } from '../../support/until.ts'

const host = thisHost()

describe('thisHost', () => {
  it('knows this process and since when it runs', () => {
    expect(host.pid).toBe(process.pid)
    expect(host.processOf(process.pid)).toEqual({ startTime: expect.stringMatching(/./) as string })
    expect(host.processOf(process.pid)).toEqual(thisHost().processOf(process.pid))
  })

  it('knows that a process has ended', () => {
    expect(host.processOf(deadPid())).toBe('gone')
  })

  it.each([2 ** 31, 2 ** 32 + process.pid, Number.MAX_SAFE_INTEGER])('knows that no process can be %d', (pid) => {
    expect(host.processOf(pid)).toBe('gone')
  })

  it.skipIf(process.platform !== 'linux')(
    'takes field 22 of stat, whatever the program is called (Linux only)',
    async () => {
      const child = spawn('bash', ['-c', 'printf ") R 1 (x" > /proc/$$/comm; echo ready; read -r line'], {
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      await once(child.stdout, 'data')
      const pid = child.pid ?? 0
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      expect(stat).toContain('() R 1 (x)')
      expect(host.processOf(pid)).toEqual({ startTime: stat.slice(stat.lastIndexOf(')')).split(' ')[20] })
      const exited = once(child, 'exit')
      child.stdin.end('\n')
      await exited
    },
  )

  it.skipIf(process.platform !== 'linux')(
    'takes a zombie for gone: some systems never reap them (Linux only)',
    async () => {
      // The shell becomes `cat`, which never waits for the child that it inherited.
      const parent = spawn('sh', ['-c', 'cat <&3 >/dev/null & echo $!; exec 3<&-; exec cat'], {
        stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
      })
      const [output] = (await once(parent.stdout as Readable, 'data')) as [Buffer]
      const pid = Number(output.toString())
      await until('the shell is cat', () => readFileSync(`/proc/${parent.pid}/comm`, 'utf8') === 'cat\n')
      ;(parent.stdio[3] as Writable).end()
      await until('the child is a zombie', () => readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z '))
      expect(host.processOf(pid)).toBe('gone')
      const exited = once(parent, 'exit')
      parent.stdin?.end()
      await exited
    },
  )
})
