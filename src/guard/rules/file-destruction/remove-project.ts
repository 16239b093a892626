import type { Rule } from '../../rule.ts'
import { removalsOf, removing } from '../../targets/removals.ts'
import { locate } from '../../zone.ts'

export const removeProject: Rule = {
  name: 'remove-project',
  category: 'file-destruction',
  why: 'The project as a whole, and its repository, cannot be had back.',
  instead: 'Remove the directories and files that you mean by their names.',
  get programs() {
    return removing.join(' ')
  },
  forbids(command, place) {
    for (const { path, isRecursive, only } of removalsOf(command)) {
      if (!isRecursive || only === 'names') continue
      const { zone, isContent } = locate(path, place)
      if (zone === 'project-root')
        return isContent ? 'would remove everything in the project' : 'would remove the project'
      if (zone === 'repository') return "would remove the project's repository"
    }
    return null
  },
}
