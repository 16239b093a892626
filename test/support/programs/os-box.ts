// os-box: opens an OS sandbox for the site on stdin, runs one command in it and prints what it says, a JSON value a line; the
// last one is how it ended.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { formatRunId } from '../../../src/base/ids.ts'
import type { Site } from '../../../src/isolation/isolation.ts'
import { os } from '../../../src/isolation/os.ts'

const { site, script, hosts, readable } = JSON.parse(readFileSync(0, 'utf8')) as {
  site: Site
  script: string
  hosts: string[]
  readable: string[]
}
const print = (value: unknown): boolean => process.stdout.write(`${JSON.stringify(value)}\n`)
const runId = formatRunId(Date.now(), randomBytes(4))
const isolation = await os.probe(site)
if (!isolation.ok) print({ unavailable: isolation.error })
else {
  const box = await isolation.value.open({ runId, agents: ['custom'], hosts, readable, remark: () => undefined })
  if (!box.ok) print({ failed: box.error })
  else {
    const ended = await box.value.exec({
      argv: ['/bin/bash', '-c', script],
      cwd: site.project,
      env: { PATH: process.env['PATH'] ?? '', HOME: site.home },
      runId,
      timeoutMs: 60_000,
      onLine: ({ bytes }) => void print({ line: bytes.toString() }),
    })
    await box.value.dispose()
    print(ended.ok ? { exitCode: ended.value.exitCode, stderr: ended.value.stderrTail } : { failed: ended.error })
  }
}
