import type { Rule } from '../../rule.ts'
import { unknown } from '../../shell/pattern.ts'

export const dynamicCommand: Rule = {
  name: 'dynamic-command',
  category: 'obfuscation',
  why: 'Which program that runs, nobody can tell beforehand.',
  instead: 'Write down the name of the program that you mean.',
  forbids({ word, variables, outputs, through }) {
    const by = through.at(-1) ?? ''
    if (word === '{}' && shells.has(by)) return 'would run whatever it is given'
    if (word !== unknown) return null
    if (/^[gmn]?awk$/.test(by)) return 'would run whatever it reads'
    if (outputs.length > 0 && variables.length === 0) return 'would run what another program prints'
    // Names in capitals are those of tools, which the environment has: `$PYTHON`, `$CC`.
    return /^[a-z_]\w*$/.test(variables[0] ?? '') ? 'would run what is in a variable that nobody has set' : null
  },
}

const shells = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'xargs', 'parallel'])
