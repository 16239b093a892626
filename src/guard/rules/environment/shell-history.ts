import type { Rule } from '../../rule.ts'
import { assignmentsOf, setters } from './assignments.ts'

export const shellHistory: Rule = {
  name: 'shell-history',
  category: 'environment',
  why: 'It hides from people what was run here.',
  instead: 'Leave the history as it is; commands of this session are not in it anyway.',
  get programs() {
    return ['=', ...setters, 'unset'].join(' ')
  },
  forbids(command) {
    const { name, args } = command
    if (name === 'unset' && args.some((arg) => arg === 'HISTFILE' || arg === 'HISTSIZE'))
      return "would turn off the shell's history"
    if (name === 'set' && args[0] === '+o' && args[1] === 'history') return "would turn off the shell's history"
    const isOff = assignmentsOf(command).some(
      ([variable, value]) =>
        (variable === 'HISTFILE' && (value === '' || value === '/dev/null')) ||
        (/^HIST(?:FILE)?SIZE$|^SAVEHIST$/.test(variable) && value === '0'),
    )
    return isOff ? "would turn off the shell's history" : null
  },
}
