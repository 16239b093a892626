import { isAmong } from '../among.ts'
import type { Ran } from '../shell/trace.ts'
import type { Touch } from '../touch.ts'
import { allTouches, touching } from './all-touches.ts'

/** The paths that a command would change or read, as far as its words tell. */
export function touchesOf(command: Ran): readonly Touch[] {
  const { name, args, input, through } = command
  const isTelling =
    name === 'git' ? through.length > 0 || args.some((arg) => gitTouching.test(arg)) : isAmong(touching, name)
  return isTelling || input.files.length > 0 ? allTouches(command) : []
}

const gitTouching = /^(?:rm|mv|hash-object|--no-index|show|cat-file)$/
