const actions = new Set(['-exec', '-execdir', '-ok', '-okdir'])
const maxRoots = 8

/** Where `find` begins to look. */
export function findRoots(args: readonly string[]): {
  readonly roots: readonly string[]
  readonly tests: readonly string[]
} {
  const start = args.findIndex((arg) => /^[-(!]/.test(arg) && !/^-[HLPD]$/.test(arg))
  const roots = args.slice(0, start === -1 ? args.length : start).filter((arg) => !arg.startsWith('-'))
  return { roots: roots.length === 0 ? ['.'] : roots, tests: start === -1 ? [] : args.slice(start) }
}

/** The commands that `find -exec` and `fd -x` run, with `{}` for something below a root. */
export function findWords(name: string, args: readonly string[]): string[][] {
  if (name.startsWith('fd')) {
    const at = args.findIndex((arg) => /^(?:-[xX]|--exec(?:-batch)?)$/.test(arg))
    const words = args.slice(at + 1)
    const found = './{}'
    if (at === -1 || words.length === 0) return []
    return [
      words.some((word) => word.includes('{}')) ? words.map((word) => word.split('{}').join(found)) : [...words, found],
    ]
  }
  const { roots, tests } = findRoots(args)
  return tests.flatMap((test, index) => {
    if (!actions.has(test)) return []
    const rest = tests.slice(index + 1)
    const end = rest.findIndex((word) => word === ';' || word === '+')
    const words = end === -1 ? rest : rest.slice(0, end)
    return roots.slice(0, maxRoots).map((root) => words.map((word) => word.split('{}').join(`${root}/{}`)))
  })
}
