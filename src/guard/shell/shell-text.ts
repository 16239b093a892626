export const shells: ReadonlySet<string> = new Set(
  'sh bash dash zsh ksh ash mksh yash fish csh tcsh rbash pwsh osh oksh lksh ksh93 posh'.split(' '),
)

/** What a shell is told to run: a text, with what it calls `$1` …; or what comes on its standard input. */
export type ShellTask =
  | {
      readonly kind: 'text'
      readonly text: string
      /** What it calls `$0`. */
      readonly called: string
      readonly parameters: readonly string[]
    }
  | { readonly kind: 'input'; readonly parameters: readonly string[] }
  /** A file, or nothing at all. */
  | { readonly kind: 'none' }

const valued = /^(?:[-+][oO]|--rcfile|--init-file)$/

export function shellTask(args: readonly string[]): ShellTask {
  let isText = false
  let isInput = false
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ''
    if (arg === '--' || arg === '-') {
      if (isText) return textTask(args.slice(index + 1))
      continue
    }
    if (/^[-+]/.test(arg) && arg.length > 1) {
      if (/^-[A-Za-z]*c[A-Za-z]*$/.test(arg) || /^--?command$/i.test(arg)) isText = true
      else if (/^-[A-Za-z]*s[A-Za-z]*$/.test(arg)) isInput = true
      else if (/^-[A-Za-z]*o$/.test(arg) || valued.test(arg)) index++
      else if (/^--(?:version|help)$/.test(arg)) return { kind: 'none' }
      continue
    }
    if (isText) return textTask(args.slice(index))
    if (isInput || arg === '/dev/stdin' || arg === '/dev/fd/0' || arg === '/proc/self/fd/0') {
      return { kind: 'input', parameters: args.slice(isInput ? index : index + 1) }
    }
    return { kind: 'none' }
  }
  return isText ? { kind: 'none' } : { kind: 'input', parameters: [] }
}

const textTask = ([text = '', called = 'bash', ...parameters]: readonly string[]): ShellTask => ({
  kind: 'text',
  text,
  called,
  parameters,
})
