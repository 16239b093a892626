import { ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import type { Git } from './git.ts'

const maxCommits = 1000

/** What `head` has and `base` has not, oldest first; of more than a thousand the newest. */
export async function commitsSince(git: Git, base: string, head: string): Promise<Result<readonly string[], Failure>> {
  if (base === head) return ok([])
  const answer = await git({
    doing: 'list the commits of an iteration',
    args: ['rev-list', '--topo-order', `--max-count=${maxCommits}`, '--end-of-options', head, `^${base}`],
  })
  if (!answer.ok) return answer
  const lines = answer.value.stdout.toString('latin1').split('\n')
  return ok(lines.filter((line) => line !== '').toReversed())
}
