import { describe, expect, it } from 'vitest'
import { parsePs, psCarriersOf } from '../../../src/process/ps-processes.ts'

const output = [
  '    1     0     1 Ss   Mon Nov  2 09:00:01 2026     /sbin/launchd',
  '  812     1   812 S+   Mon Nov  2 09:14:55 2026     sleep 100 HOME=/Users/a RALPH_RUN_ID=r1 TERM=xterm',
  '  813   812   812 Z    Mon Nov  2 09:14:56 2026     (sleep)',
  '  814     1   814 S    Mon Nov  2 09:14:57 2026     sleep 100 RALPH_RUN_ID=r12',
  '',
].join('\n')

describe('parsePs', () => {
  it('reads pids, groups, start times and zombies', () => {
    expect(parsePs(output).map(({ pid, ppid, groupId, ended }) => [pid, ppid, groupId, ended])).toEqual([
      [1, 0, 1, false],
      [812, 1, 812, false],
      [813, 812, 812, true],
      [814, 1, 814, false],
    ])
    expect(parsePs(output)[1]?.startTime).toBe(Date.parse('Mon Nov  2 09:14:55 2026'))
  })

  it('finds the processes that carry exactly this entry', () => {
    expect(psCarriersOf('RALPH_RUN_ID=r1', parsePs(output))).toEqual([812])
  })
})
