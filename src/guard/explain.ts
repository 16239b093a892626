import { visibleLine } from '../base/visible.ts'
import type { Place } from './place.ts'
import { one, star, unknown } from './shell/pattern.ts'
import { traceScript } from './shell/trace.ts'

const maxLines = 200

/** How a command was read, a line for each program that it would run and each file that it would write; for people. */
export function explain(command: string, place: Place): string[] {
  const { ran, written, read, unread } = traceScript(command, place)
  const lines = [
    ...ran.map(({ word, args, through, directories, input, environment }) =>
      [
        word === '' ? 'sets' : 'runs',
        ...(word === '' ? [] : [[word, ...args].map(shown).join(' ')]),
        ...Array.from(environment, ([name, values]) => `with ${name}=${values.map(shown).join(' or ')}`),
        ...(through.length === 0 ? [] : [`through ${through.map(shown).join(', ')}`]),
        ...(input.commands.length === 0 ? [] : [`fed by ${input.commands.map(({ name }) => shown(name)).join(', ')}`]),
        `in ${directories.map(shown).join(' or ')}`,
      ].join('  '),
    ),
    ...written.map((path) => `writes ${shown(path)}`),
    ...read.map((path) => `reads ${shown(path)}`),
    ...(unread === null ? [] : [`could not be read: ${unread}`]),
  ]
  return lines.length > maxLines ? [...lines.slice(0, maxLines), `… and ${lines.length - maxLines} more`] : lines
}

/** With the marks as people know them; quoted where blanks would mislead. */
function shown(text: string): string {
  const plain = text.replaceAll(star, '*').replaceAll(one, '?').replaceAll(unknown, '⟨unknown⟩')
  const line = visibleLine(plain, 200)
  return /^[^\s'"]+$/.test(line) ? line : `'${line}'`
}
