import { grammar, readOptions } from '../../options.ts'
import type { Rule } from '../../rule.ts'
import { isWholeTree } from './git-call.ts'

export const otherHistory: Rule = {
  name: 'other-history',
  category: 'git-destruction',
  why: 'It throws away changes or history that nothing can bring back.',
  instead: 'Commit or shelve the changes first, and add to the history instead of taking from it.',
  get programs() {
    return [...programs.keys()].join(' ')
  },
  forbids({ name, args }) {
    const program = programs.get(name)
    if (program === undefined) return null
    const options = readOptions(args, valued)
    if (options.has('--help', '-h', '-n', '--dry-run')) return null
    const [verb = '', ...operands] = options.operands
    if (name === 'svn' && /^(?:delete|del|remove|rm)$/.test(verb) && operands.some((path) => path.includes('://')))
      return 'would remove something from the repository on the server'
    const forms = program.get(verb)
    if (forms === undefined) return null
    const isDenied =
      forms === '' ||
      forms.split(' ').some((form) => options.has(form) || operands.some((path) => form === '.' && isWholeTree(path)))
    return isDenied ? `would throw away work by ${name} ${verb}` : null
  },
}

const valued = grammar('-R --repository --cwd -r --rev -m --message -d --date -u --user --config')

/** By verb the options that make it dangerous; none: it always is. A dot is everything. */
const mercurial = new Map([
  ['strip', ''],
  ['purge', ''],
  ['rollback', ''],
  ['histedit', ''],
  ['prune', ''],
  ['update', '-C --clean'],
  ['up', '-C --clean'],
  ['checkout', '-C --clean'],
  ['co', '-C --clean'],
  ['revert', '-a --all .'],
  ['push', '-f --force'],
  ['shelve', '-d --delete --cleanup'],
])

const programs: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  ['hg', mercurial],
  ['sl', mercurial],
  ['chg', mercurial],
  [
    'svn',
    new Map([
      ['revert', '-R --recursive --depth .'],
      ['cleanup', '--remove-unversioned --remove-ignored'],
    ]),
  ],
  ['jj', new Map([['abandon', '']])],
  [
    'fossil',
    new Map([
      ['revert', ''],
      ['clean', '-f --force -x'],
      ['purge', ''],
    ]),
  ],
  [
    'bzr',
    new Map([
      ['revert', ''],
      ['clean-tree', '--force'],
      ['uncommit', '--force'],
      ['push', '--overwrite'],
    ]),
  ],
])
