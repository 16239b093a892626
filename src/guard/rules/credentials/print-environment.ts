import type { Rule } from '../../rule.ts'
import { isSecretName } from '../../secret-name.ts'
import type { Ran } from '../../shell/trace.ts'
import { operandsOf } from '../../targets/operands.ts'

/** Of many lines they let through the ones that are asked for, or only count them. */
const selecting = new Set('grep egrep fgrep rg awk wc cut'.split(' '))
const secretPattern = /key|token|secret|pass|credential|auth|^\.?\*?$/i

export const printEnvironment: Rule = {
  name: 'print-environment',
  category: 'credentials',
  why: 'The environment has keys in it, and what is printed is in your context and in logs from then on.',
  instead: 'Ask for the one variable that you need: `echo "$NODE_ENV"`, or `env | grep ^NODE_`.',
  programs: 'printenv env export declare typeset set ps',
  forbids(command) {
    const { name, args, isPiped, input } = command
    if (name === 'printenv') {
      const secret = operandsOf(args).find(isSecretName)
      if (secret !== undefined) return `would print $${secret}`
    }
    if (isPiped) return null
    if (isWhole(command))
      return command.writes.length > 0
        ? 'would write the whole environment to a file'
        : 'would print the whole environment'
    const at = input.commands.findIndex(isWhole)
    if (at === -1 || name === 'xargs') return null
    return [command, ...input.commands.slice(0, at)].some(selects) ? null : 'would print the whole environment'
  },
}

/** Whether a command prints every variable. */
function isWhole({ name, args }: Ran): boolean {
  const operands = operandsOf(args, '-u --unset -C --chdir -S')
  if (name === 'printenv') return operands.length === 0 && !args.some((arg) => /^--(?:help|version)/.test(arg))
  if (name === 'env')
    return (
      operands.every((arg) => arg.includes('=')) &&
      !args.some((arg) => /^(?:--(?:help|version|split-string.*|ignore-environment)|-S.*|-i|-)$/.test(arg))
    )
  // `ps e` shows the environment of every process; `-e` is every process.
  if (name === 'ps') return args.some((arg) => /^[a-z]*e[a-z]*$/.test(arg))
  if (name === 'export') return args.length === 0 || args.join(' ') === '-p'
  if (name === 'declare' || name === 'typeset')
    return operands.length === 0 && args.some((arg) => /^-[a-z]*[xp]/.test(arg))
  return name === 'set' && args.length === 0
}

function selects({ name, args }: Ran): boolean {
  if (name === 'sed') return args.some((arg) => arg.includes('=.*'))
  if (!selecting.has(name)) return false
  if (name === 'wc' || name === 'cut') return true
  return (
    !args.some((arg) => /^-[A-Za-z]*v/.test(arg)) &&
    !operandsOf(args, '-A -B -C -m')
      .slice(0, 1)
      .some((arg) => secretPattern.test(arg))
  )
}
