import { codeOf } from '../shell/interpreter-code.ts'
import type { Ran } from '../shell/trace.ts'

const maxCode = 100_000

/** The text of a program that an interpreter is given in its words or on its input; empty where there is none. */
export function inlineCode({ name, args, input }: Ran): string {
  const code = codeOf(name, args)
  if (code === null) return ''
  return (code.text ?? input.texts.join('\n')).slice(0, maxCode)
}
