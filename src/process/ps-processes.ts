import type { ProcessEntry } from './process-table.ts'

/**
 * macOS and other systems without /proc. **Untested**: no such machine was at hand; written from ps(1). `-E` adds the
 * environment behind the command, for our own processes only.
 */
export const psArguments = ['-axww', '-E', '-o', 'pid=,ppid=,pgid=,stat=,lstart=,command=']

export interface PsEntry extends ProcessEntry {
  readonly commandAndEnvironment: string
}

export function parsePs(output: string): PsEntry[] {
  return output.split('\n').flatMap((line) => {
    const match = /^ *(\d+) +(\d+) +(\d+) +(\S+) +(\S+ +\S+ +\d+ +[\d:]+ +\d+) (.*)$/.exec(line)
    if (match === null) return []
    const [, pid, ppid, groupId, state = '', startTime = '', rest = ''] = match
    return [
      {
        pid: Number(pid),
        ppid: Number(ppid),
        groupId: Number(groupId),
        // ps there prints an address for the session; the group finds the same processes but for those that left it.
        sessionId: Number(groupId),
        startTime: Date.parse(startTime),
        ended: state.startsWith('Z'),
        commandAndEnvironment: rest,
      },
    ]
  })
}

export function psCarriersOf(assignment: string, entries: Iterable<PsEntry>): number[] {
  return [...entries].flatMap(({ pid, commandAndEnvironment }) =>
    ` ${commandAndEnvironment} `.includes(` ${assignment} `) ? [pid] : [],
  )
}
