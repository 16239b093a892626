import type { Rule } from '../../rule.ts'
import { star } from '../../shell/pattern.ts'

/** What can run something, or make git look elsewhere. */
const own = ['hooks', 'config', 'config.worktree', 'info', 'commondir', 'gitdir', 'objects/info', 'shallow']
const names = [...own, ...['hooks', 'config', 'info'].map((name) => `modules/${star}/${name}`)]

export const gitDirectory: Rule = {
  name: 'git-directory',
  category: 'self-tampering',
  why: 'Hooks and configuration of the repository are put back after each iteration, and changing them counts against it.',
  instead: 'Use git as it is set up here; files to ignore belong into .gitignore.',
  guarded: ({ projects, gitDirs }) => [
    ...gitDirs.flatMap((dir) => names.map((name) => ({ path: `${dir}/${name}` }))),
    ...projects.map((project) => ({ path: `${project}/.git`, isExact: true })),
  ],
}
