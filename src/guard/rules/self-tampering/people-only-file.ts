import { peopleFiles } from '../../../model/is-people-only.ts'
import type { Rule } from '../../rule.ts'
import { star } from '../../shell/pattern.ts'

export const peopleOnlyFile: Rule = {
  name: 'people-only-file',
  category: 'self-tampering',
  why: "In a loop only people change prd.md, prompt.md and Ralph's settings.",
  instead:
    'Work from what it says; where it is wrong, write that into the notes of your story or, if you cannot go on, into its `blocked`.',
  guarded: ({ projects, ralphDirs }) =>
    projects.flatMap((project) =>
      ralphDirs.flatMap((dir) =>
        // Other loops of this name have their settings there.
        [...peopleFiles(dir), `ralph.config.${star}`].map((path) => ({ path: `${project}/${path}` })),
      ),
    ),
}
