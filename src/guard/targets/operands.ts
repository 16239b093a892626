/** The words that are no options; `valued` names the options that take the next word. */
export function operandsOf(args: readonly string[], valued = ''): string[] {
  const takesNext = new Set(valued.split(' '))
  const found: string[] = []
  let isOver = false
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ''
    if (isOver || !arg.startsWith('-') || arg === '-') found.push(arg)
    else if (arg === '--') isOver = true
    else if (takesNext.has(arg)) index++
  }
  return found
}

/** The values of an option, in all its forms: `-t X`, `-tX`, `-at X`, `--to X`, `--to=X`. */
export function valuesOf(args: readonly string[], ...names: readonly string[]): string[] {
  return args.flatMap((arg, index) => {
    const next = args.slice(index + 1, index + 2)
    if (names.includes(arg)) return next
    for (const name of names) {
      if (name.startsWith('--')) {
        if (arg.startsWith(`${name}=`)) return [arg.slice(name.length + 1)]
        continue
      }
      const at = /^-[A-Za-z]/.test(arg) ? arg.indexOf(name.slice(1)) : -1
      // What stands before it are letters of other options, and no value of theirs.
      if (at > 0 && /^[A-Za-z]*$/.test(arg.slice(1, at))) return at + 1 < arg.length ? [arg.slice(at + 1)] : next
    }
    return []
  })
}

/** Whether one of these letters is among the short options, or one of the long ones is given. */
export function hasOption(args: readonly string[], letters: string, ...long: readonly string[]): boolean {
  return args.some(
    (arg) =>
      (/^-[A-Za-z]/.test(arg) && letters.split('').some((letter) => arg.includes(letter))) ||
      long.some((name) => arg === name || arg.startsWith(`${name}=`)),
  )
}
