/**
 * A runner as small as can be that reads an agent's stream, for the measure of its memory: `read-stream.ts AGENT FILE TIMES`
 * has a child print the file so many times, and prints its own largest resident size in MB.
 */
import { findAgent } from '../src/agents/registry.ts'
import { runChild } from '../src/process/run-child.ts'
import { someRequest } from '../test/support/play-stream.ts'

const [name = '', file = '', times = '1'] = process.argv.slice(2)
const agent = findAgent({ name, command: null, format: 'text' })
if (!agent.ok) throw new Error(`no agent ${name}`)
const reader = agent.value.read(someRequest)
let notices = 0
const ended = await runChild({
  argv: ['/bin/sh', '-c', 'i=0; while [ $i -lt $2 ]; do cat "$1"; i=$((i+1)); done', 'sh', file, times],
  cwd: '/',
  env: { PATH: process.env['PATH'] ?? '' },
  runId: '20260101-000000-00000000',
  containment: { level: 'tree', reason: 'chosen by the bench' },
  onLine: (line) => {
    notices += reader.line(line.bytes).length
  },
})
if (!ended.ok || notices === 0) throw new Error('nothing was read')
process.stdout.write(String(process.resourceUsage().maxRSS / 1024))
