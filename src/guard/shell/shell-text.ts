const shells = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash'])

/** The script that a command hands to a shell, where it stands in the command itself. */
export function shellText(
  { name, args }: { readonly name: string; readonly args: readonly string[] },
  documents: () => readonly string[],
): string | null {
  if (name === 'eval') return args.join(' ')
  if (!shells.has(name)) return null
  const option = args.findIndex((arg) => /^-[A-Za-z]*c[A-Za-z]*$/.test(arg))
  if (option !== -1) return args.slice(option + 1).find((arg) => !/^[-+]/.test(arg)) ?? null
  const isFile = args.some((arg) => !arg.startsWith('-') && arg !== '/dev/stdin')
  return isFile ? null : documents().join('\n')
}
