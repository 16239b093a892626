import { grammar, readOptions } from '../../options.ts'
import type { Rule } from '../../rule.ts'
import { gitCallOf } from '../git-destruction/git-call.ts'

export const gitGlobal: Rule = {
  name: 'git-global',
  category: 'persistence',
  why: 'It changes what git does in every repository of the user.',
  instead:
    'Leave the configuration of the user alone: without `--global` it is of this repository, with `git -c` of one command.',
  programs: 'git hub git-*',
  forbids(command) {
    const call = gitCallOf(command)
    if (call?.verb !== 'config') return null
    const options = readOptions(call.args, grammar('-f --file --type --default --comment --value --blob'))
    if (
      !options.has('--global', '--system') ||
      options.has('-l', '--list', '--get', '--get-all', '--get-regexp', '--get-urlmatch', '--help', '-h')
    )
      return null
    const [first = '', ...rest] = options.operands
    const isVerb = /^(?:get|list|set|unset|edit|rename-section|remove-section)$/.test(first)
    const isWrite = isVerb
      ? first !== 'get' && first !== 'list'
      : rest.length > 0 ||
        options.has(
          '--unset',
          '--unset-all',
          '--add',
          '--replace-all',
          '--remove-section',
          '--rename-section',
          '-e',
          '--edit',
        )
    const key = ((isVerb ? rest[0] : first) ?? '').toLowerCase()
    // Who one is and how things look runs nothing.
    return isWrite && !harmless.test(key) ? "would change the user's configuration of git" : null
  },
}

const harmless =
  /^(?:user\.(?:name|email)|init\.defaultbranch|color\..*|column\..*|pull\.(?:rebase|ff)|push\.(?:default|autosetupremote)|core\.(?:autocrlf|eol|quotepath|longpaths|ignorecase)|advice\..*|safe\.directory|rerere\.enabled|fetch\.prune|rebase\.autostash|merge\.conflictstyle|diff\.algorithm|http\.postbuffer|gc\.auto)$/
