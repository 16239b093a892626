import { isHelp } from './is-help.ts'

/** By the name of a program: what the words behind it, put together with blanks, look like. */
export type Sayings = Readonly<Record<string, RegExp>>

/** Whether a program is told something of the list; never where it is only asked for help. */
export function says(
  sayings: Sayings,
  { name, args }: { readonly name: string; readonly args: readonly string[] },
): boolean {
  const pattern = Object.hasOwn(sayings, name) ? sayings[name] : undefined
  return pattern !== undefined && !isHelp(args) && pattern.test(args.slice(0, 40).join(' ').slice(0, 600))
}
