import { interpreters } from './interpreter-code.ts'
import { runningByOption } from './run-by-option.ts'
import { shells } from './shell-text.ts'
import { wrapping } from './unwrap.ts'

/** The programs that `runWords` knows to run others; all but git, which mostly does not. */
export const othersRunning: string = [
  ...shells,
  interpreters,
  'xargs gxargs find gfind fd fdfind make gmake',
  wrapping,
  runningByOption,
].join(' ')
