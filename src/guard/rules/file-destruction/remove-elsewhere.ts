import type { Rule } from '../../rule.ts'

export const removeElsewhere: Rule = {
  name: 'remove-elsewhere',
  category: 'file-destruction',
  why: 'It empties another machine or a running container, and nothing brings that back.',
  instead: 'Remove the files that you mean by their names.',
  programs: 'ssh docker docker-compose podman nerdctl kubectl oc k',
  forbids({ name, args }) {
    const script = scriptFor(name, args)
    if (script === null) return null
    const isEmptying = script
      .slice(0, 100_000)
      .split(/[;&|\n()'"`]+/)
      .some((command) => empties(command.trim().split(/\s+/)))
    return isEmptying ? `would remove whole directories through ${name}` : null
  },
}

/** What a program has another machine, or a container that runs, run. */
function scriptFor(name: string, args: readonly string[]): string | null {
  if (name === 'ssh') {
    const valued = /^-[bcDEeFIiJLlmOopQRSWw]$/
    const host = args.findIndex((arg, index) => !arg.startsWith('-') && !valued.test(args[index - 1] ?? ''))
    return host === -1 ? null : args.slice(host + 1).join(' ')
  }
  if (!/^(?:docker|docker-compose|podman|nerdctl|kubectl|oc|k)$/.test(name)) return null
  const at = args.indexOf('exec')
  return at === -1 ? null : args.slice(at + 1).join(' ')
}

/** `rm -rf` of the root, of a home, or of a directory that a system has right below its root. */
function empties(words: readonly string[]): boolean {
  const at = words.indexOf('rm')
  if (at === -1) return false
  const rest = words.slice(at + 1)
  return (
    rest.some((word) => /^-[a-zA-Z]*[rR]|^--recursive$/.test(word)) &&
    rest.some((word) =>
      /^(?:\/|~|\$HOME|\/(?:bin|boot|data|etc|home|lib|mnt|opt|root|sbin|srv|usr|var))\/?\*?$/.test(word),
    )
  )
}
