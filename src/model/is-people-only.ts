import { fold, isAtOrIn } from './steering-paths.ts'

/** The files that only people write, from the root of the project. */
export const peopleFiles = (ralphDir: string): readonly string[] => [
  `${ralphDir}/prd.md`,
  `${ralphDir}/prompt.md`,
  '.ralph/settings.json',
  '.ralph/settings.local.json',
]

/** prd.md, prompt.md, the settings; and the directories they are in, when those became something else. */
export function isPeopleOnly(path: string, ralphDir: string): boolean {
  const folded = fold(path)
  const dir = fold(ralphDir)
  return peopleFiles(dir).some((file) => isAtOrIn(folded, file)) || folded === '.ralph' || isAtOrIn(dir, folded)
}
