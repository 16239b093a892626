import { fold, isAtOrIn } from './steering-paths.ts'

/** prd.md, prompt.md, the settings; and the directories they are in, when those became something else. */
export function isPeopleOnly(path: string, ralphDir: string): boolean {
  const folded = fold(path)
  const dir = fold(ralphDir)
  const files = [`${dir}/prd.md`, `${dir}/prompt.md`, '.ralph/settings.json', '.ralph/settings.local.json']
  return files.some((file) => isAtOrIn(folded, file)) || folded === '.ralph' || isAtOrIn(dir, folded)
}
