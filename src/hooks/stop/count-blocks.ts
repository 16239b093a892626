import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { isId } from '../../base/ids.ts'
import { errnoOf } from '../../store/attempt.ts'
import { lookAt } from '../../store/look-at.ts'

/** Claude Code would override the hook at 8 in a row and lose the last message. */
export const maxBlocks = 6

// Non-blocking for a FIFO that somebody put there, and no link is followed.
const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK

/**
 * Which block of this session the next one is, from 1. The count is the length of a file, so that it grows by one write.
 * Null where it cannot be kept.
 */
export function countBlock(session: string, env: NodeJS.ProcessEnv): number | null {
  const uid = process.getuid?.() ?? 0
  const data = env['CLAUDE_PLUGIN_DATA'] ?? ''
  const directory = data.startsWith('/') ? `${data}/stop` : `${env['TMPDIR'] ?? '/tmp'}/ralph-stop-${uid}`
  if (!isId(session)) return null
  try {
    // Not its parents: node's own way to make those never ends where none can be made (/proc).
    if (lookAt(directory) === null) mkdirSync(directory, 0o700)
    const seen = lstatSync(directory)
    if (!seen.isDirectory() || seen.uid !== uid || (seen.mode & 0o022) !== 0) return null
    return addOne(`${directory}/${session}`)
  } catch (error) {
    errnoOf(error)
    return null
  }
}

function addOne(path: string): number | null {
  const fd = openSync(path, flags, 0o600)
  try {
    const seen = fstatSync(fd)
    // A second name would be a file of somebody else's.
    if (!seen.isFile() || seen.nlink !== 1) return null
    if (seen.size < maxBlocks) writeSync(fd, '.')
    return seen.size + 1
  } finally {
    closeSync(fd)
  }
}
