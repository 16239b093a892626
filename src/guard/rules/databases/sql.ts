import { programsIn } from '../../programs-in.ts'
import type { Place } from '../../place.ts'
import type { Rule } from '../../rule.ts'
import { inside } from '../../shell/inside.ts'
import type { Ran } from '../../shell/trace.ts'
import { isHarmless } from '../../verbs.ts'
import { harmfulSql } from './harmful-sql.ts'
import { clients, isThrowawayCall, sqlCallOf, type SqlCall } from './sql-clients.ts'

export const sql: Rule = {
  name: 'sql',
  category: 'databases',
  why: 'Data of a database is in no commit, and nothing here can bring it back.',
  instead:
    'Work on a database of your own whose name says so (`app_test`), name the rows with WHERE, or look with SELECT.',
  get programs() {
    return [...clients.keys()].join(' ')
  },
  forbids(command, place) {
    for (const program of programsIn(command, place)) {
      const call = sqlCallOf(program)
      if (call === null || isHarmless(program.args) || isThrowawayCall(call) || isOwnFile(call, program, place))
        continue
      for (const text of call.texts) {
        const harm = harmfulSql(text)
        if (harm !== null) return `would ${harm}`
      }
    }
    return null
  },
}

/** A file in the project or a temporary directory, or none at all. */
function isOwnFile({ isFile, database }: SqlCall, { directories }: Ran, { projects }: Place): boolean {
  if (!isFile) return false
  if (database === '' || database.startsWith(':memory:')) return true
  return inside(directories, database).every(
    (path) => /^\/(?:tmp|var\/tmp)\//.test(path) || projects.some((project) => path.startsWith(`${project}/`)),
  )
}
