import { dirname, resolve } from 'node:path'
import type { Place } from '../../src/guard/place.ts'

/** Files of the project that the tests of the guard speak of; `/home/dev/project` is the project. */
const files = [
  '.ralph-active',
  'ralph/prd.md',
  'ralph/prompt.md',
  'ralph/tasks.json',
  'ralph/progress.txt',
  '.ralph/settings.json',
  '.claude/settings.json',
  '.claude/rules/style.md',
  '.git/config',
  '.git/hooks/pre-commit',
  '.git/info/exclude',
  'src/main.ts',
  'README.md',
]

export const project = '/home/dev/project'

/** A loop in /home/dev/project, on a disk that is a list of names. */
export function guardedPlace(more: Partial<Place> = {}, links: Readonly<Record<string, string>> = {}): Place {
  const all = new Set(['/opt/ralph/scripts/hook.sh', '/state/ralph/x/lock'])
  for (const file of files) all.add(`${project}/${file}`)
  const directories = new Set(['/'])
  for (const file of all) for (let at = dirname(file); at !== '/'; at = dirname(at)) directories.add(at)
  return {
    cwd: project,
    home: '/home/dev',
    variables: { HOME: '/home/dev', RALPH_DIR: 'ralph', CLAUDE_PROJECT_DIR: project },
    projects: [project],
    ralphDirs: ['ralph'],
    claudeDirs: [],
    gitDirs: [`${project}/.git`],
    plugin: '/opt/ralph',
    state: ['/state/ralph'],
    disk: {
      real: (path) => {
        const plain = resolve('/', path)
        const link = Object.keys(links).find((name) => plain === name || plain.startsWith(`${name}/`))
        return link === undefined ? plain : `${links[link]}${plain.slice(link.length)}`
      },
      exists: (path) => all.has(path) || directories.has(path),
      isDirectory: (path) => directories.has(path),
    },
    ...more,
  }
}
