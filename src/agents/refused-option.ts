import { firstLine } from './cut-text.ts'

const refusal =
  /unexpected argument|unknown (?:option|argument|flag|command)|unrecogni[sz]ed (?:option|argument|flag)|(?:invalid|bad|no such) option/i

/** What a program said that did not understand how it was started; null if it was something else. */
export function refusedOption(stderr: string): string | null {
  const line = stderr.split('\n').find((candidate) => refusal.test(candidate))
  if (line !== undefined) return firstLine(line)
  // Some say nothing and print their help, and of a long one only the end is left.
  return (stderr.match(helpLine) ?? []).length >= 5 ? 'printed its help instead of working' : null
}

/** `  -m, --model    the model to use` */
const helpLine = /^ +(?:-\w, )?--[\w-]+ +\S/gm
