import { grammar, readOptions } from '../../options.ts'
import type { Rule } from '../../rule.ts'

export const forge: Rule = {
  name: 'forge',
  category: 'git-destruction',
  why: 'What is merged, closed, published or removed on the server concerns other people.',
  instead: 'Prepare it (a branch, a pull request, a comment) and leave this step to people.',
  get programs() {
    return [...programs.keys()].join(' ')
  },
  forbids({ name, args }) {
    const denied = programs.get(name)
    if (denied === undefined) return null
    const options = readOptions(args, valued)
    if (options.has('--help', '-h', '--dry-run')) return null
    const [noun = '', verb = '', third = ''] = options.operands
    if (noun === 'api') return apiCall(options.operands, options.values)
    const verbs = denied.get(noun)?.split(' ') ?? []
    if (noun === 'repo' && options.has('--visibility')) return 'would change who sees the repository'
    const isDenied = verbs.includes(verb) || verbs.includes(`${verb}:${third}`)
    return isDenied ? `would ${verb} a ${noun} on the server` : null
  },
}

const valued = grammar(
  '-R --repo --hostname -X --method -f -F --field --raw-field -H --header --input -q --jq -t --template -b --body --body-file --title -m --message --subject -r --reason -c --comment --group',
)

/** By noun; `a:b` is a verb of two words. */
const github = new Map([
  ['pr', 'merge close lock'],
  ['issue', 'close delete lock transfer'],
  ['repo', 'delete archive rename transfer deploy-key:add deploy-key:delete'],
  ['release', 'create delete delete-asset edit upload'],
  ['secret', 'set delete remove'],
  ['variable', 'set delete remove'],
  ['workflow', 'disable'],
  ['run', 'delete'],
  ['cache', 'delete'],
  ['ssh-key', 'add delete'],
  ['gpg-key', 'add delete'],
  ['gist', 'delete'],
  ['label', 'delete'],
  ['codespace', 'delete'],
  ['cs', 'delete'],
  ['project', 'delete close'],
  ['auth', 'logout refresh'],
  ['ruleset', 'delete'],
  ['environment', 'delete'],
])

const gitlab = new Map([
  ['mr', 'merge close delete accept'],
  ['issue', 'close delete'],
  ['repo', 'delete archive transfer'],
  ['project', 'delete archive transfer'],
  ['release', 'create delete upload'],
  ['variable', 'set update delete remove'],
  ['ci', 'delete'],
  ['label', 'delete'],
  ['ssh-key', 'add delete'],
  ['deploy-key', 'add delete'],
  ['token', 'create revoke rotate'],
  ['schedule', 'delete'],
  ['auth', 'logout'],
])

const programs = new Map([
  ['gh', github],
  ['glab', gitlab],
  ['tea', new Map(['pr', 'pulls', 'issues', 'releases', 'repos'].map((noun) => [noun, 'close delete merge m rm']))],
])

/** Whatever else it changes: what it removes or merges cannot be had back. */
function apiCall(operands: readonly string[], values: (...names: readonly string[]) => string[]): string | null {
  const methods = new Set(values('-X', '--method').map((method) => method.toUpperCase()))
  if (methods.has('DELETE')) return 'would remove something on the server'
  if (methods.has('PUT') && operands.some((path) => path.endsWith('/merge'))) return 'would merge on the server'
  const queries = values('-f', '-F', '--field', '--raw-field').filter((field) => field.startsWith('query='))
  const isChange = queries.some(
    (query) => /\bmutation\b/.test(query) && /\b(?:delete|remove|merge|archive|close)[A-Z]/.test(query),
  )
  return isChange ? 'would remove, close or merge something on the server' : null
}
