import type { Git } from './git.ts'

/** So many fetches cost each git command a millisecond or two. */
const fetchesBetween = 32

/**
 * Every fetch leaves a pack and a ref, and every git command opens all of them: without this a long run gets slower with each
 * commit. Small packs are put together, in steps that grow with them; no object is lost, and none that is loose and nobody's.
 */
export async function tidyRepository(git: Git, fetches: number): Promise<void> {
  if (fetches % fetchesBetween !== 0) return
  // What cannot be tidied costs time and nothing else.
  await git({ doing: 'pack objects', args: ['repack', '--quiet', '-d', '--geometric=2'] })
  await git({ doing: 'pack refs', args: ['pack-refs', '--all'] })
}
