import type { Rule } from '../../rule.ts'
import { isSecretName } from '../../secret-name.ts'
import { unknown } from '../../shell/pattern.ts'
import type { Ran } from '../../shell/trace.ts'
import type { Place } from '../../place.ts'

const printers = new Set(['echo', 'printf', 'print'])
/** They show what comes in, in one form or another. */
const showing = new Set(
  'cat tac rev tr cut fold head tail tee nl base64 base32 xxd od hexdump sed awk grep sort uniq column pbcopy xclip'.split(
    ' ',
  ),
)

export const printSecret: Rule = {
  name: 'print-secret',
  category: 'credentials',
  why: 'What is printed is in your context and in logs from then on.',
  instead: 'Ask only whether it is set: `test -n "$NAME" && echo set`.',
  get programs() {
    return [...printers, ...showing].join(' ')
  },
  forbids(command, place) {
    const said = secretIn(command, place)
    if (said !== null && !command.isPiped && command.writes.length === 0) return `would print $${said}`
    if (!showing.has(command.name) || command.isPiped || command.writes.length > 0) return null
    const written = command.input.texts.length > 0 ? command.inherited.find(isSecretName) : undefined
    if (written !== undefined) return `would print $${written}`
    for (const before of command.input.commands) {
      const name = secretIn(before, place)
      if (name !== null) return `would print $${name}`
    }
    return null
  },
}

/** The variable of the environment that it prints; to say whether it is set shows nothing. */
function secretIn({ name, args, inherited }: Ran, place: Place): string | null {
  if (!printers.has(name)) return null
  const shows = (secret: string): boolean => {
    const value = place.variables[secret] || unknown
    return args.some((arg) => arg.includes(value) || arg.includes(unknown))
  }
  return inherited.find((name) => isSecretName(name) && shows(name)) ?? null
}
