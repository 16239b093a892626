import type { Rule } from '../../rule.ts'
import type { Place } from '../../place.ts'
import { assignmentsOf, setters } from './assignments.ts'

export const searchPath: Rule = {
  name: 'search-path',
  category: 'environment',
  why: 'Whoever can write there decides what every later command is.',
  instead:
    'Call the program by its path, or put a directory of the project in front (`PATH="$PWD/node_modules/.bin:$PATH"`).',
  get programs() {
    return ['=', ...setters].join(' ')
  },
  forbids(command, place) {
    for (const [name, value] of assignmentsOf(command)) {
      const parts = name === 'PATH' ? value.split(':') : []
      // What stands behind the usual places hides none of them.
      const own = parts.findIndex((part) => usual.has(part))
      const before = own === -1 ? parts : parts.slice(0, own)
      if (before.some((part) => isOpen(part, place)) && parts.length > 1)
        return 'would look for programs where anybody can put them'
    }
    return null
  },
}

const usual = new Set(['/usr/local/bin', '/usr/bin', '/bin', '/usr/local/sbin', '/usr/sbin', '/sbin'])

function isOpen(part: string, { projects }: Place): boolean {
  if (part === '' || part === '.' || part === './') return true
  return /^\/(?:tmp|var\/tmp|dev\/shm)(?:\/|$)/.test(part) && !projects.some((project) => part.startsWith(project))
}
