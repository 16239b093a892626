import type { Rule } from '../../rule.ts'
import { interpreters } from '../../shell/interpreter-code.ts'
import { isSecretName } from '../../secret-name.ts'
import { inlineCode } from '../../targets/inline-code.ts'

const printing = /\b(?:console\.\w+|print|puts|pp|echo|var_dump|print_r|say|stdout|write)\b/
/** The names that are asked for; the whole environment where none is. */
const asked =
  /(?:process\.env|os\.environ(?:\.get)?|os\.getenv|\bENV(?:\.fetch)?|\$ENV|\$_ENV|\$_SERVER|\bgetenv|Deno\.env\.get|Bun\.env|ENVIRON)\s*(?:\.\s*(\w+)|[[({]\s*['"]?(\w+)['"]?\s*[\])},])/g
const whole =
  /\((?:\s*(?:dict|JSON\.stringify|json\.dumps|Object\.(?:entries|keys)|util\.inspect|sorted)\s*\()?\s*(?:process\.env|os\.environ|ENV|%ENV|\$_ENV|getenv\(\)|Deno\.env\.toObject\(\))\s*[,)]|(?:puts|p|pp|print) (?:ENV|%ENV)\b(?!\[)/

export const printInCode: Rule = {
  name: 'print-in-code',
  category: 'credentials',
  why: 'What is printed is in your context and in logs from then on.',
  instead: 'Ask only whether it is set: `node -p "Boolean(process.env.NAME)"`.',
  programs: interpreters,
  forbids(command) {
    const code = inlineCode(command)
    if (code === '') return null
    if (command.name === 'node' && /^\s*process\.env\s*$/.test(code)) return 'would print the whole environment'
    const isPrinting = printing.test(code) || command.args.some((arg) => /^(?:-p|-pe|--print)$/.test(arg))
    if (!isPrinting) return null
    if (whole.test(code) && !code.includes('Object.keys')) return 'would print the whole environment'
    for (const match of code.matchAll(asked)) {
      const name = match[1] ?? match[2] ?? ''
      const end = match.index + match[0].length
      // To ask whether it is there, or how long it is, shows nothing.
      const isQuestion =
        after.test(code.slice(end, end + 40)) || before.test(code.slice(Math.max(0, match.index - 40), match.index))
      if (isSecretName(name) && !isQuestion) return `would print $${name}`
    }
    return null
  },
}

const after = /^\s*(?:[!=]==?|\?|&&|is (?:not )?None|\.length|\.size)/
const before = /(?:Boolean|bool|len|!!|typeof|not)\s*\(?\s*$/
