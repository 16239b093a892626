import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** A call of the command line: the command, and the options that are written beside it. */
export interface SkillCall {
  readonly command: string
  readonly options: readonly string[]
}

export interface LoopSkill {
  readonly name: string
  readonly directory: string
  /** The frontmatter, line by line, as it is written. */
  readonly fields: Readonly<Record<string, string>>
  readonly body: string
  readonly calls: readonly SkillCall[]
  /** Calls for which nobody is asked. */
  readonly allowed: readonly { readonly command: string; readonly rest: string }[]
}

const program = String.raw`"\$\{CLAUDE_PLUGIN_ROOT\}/scripts/ralph\.sh"`

export function readLoopSkill(path: string): LoopSkill {
  const text = readFileSync(join(path, 'SKILL.md'), 'utf8')
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? []
  const fields = Object.fromEntries(
    head.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  return {
    name: fields['name'] ?? '',
    directory: basename(path),
    fields,
    body,
    calls: [...body.matchAll(new RegExp(`\`${program} (\\w+)([^\`]*)\``, 'g'))].map(([, command = '', rest = '']) => ({
      command,
      options: rest.replaceAll(/"[^"]*"/g, '').match(/(?<=\s)-{1,2}\w[\w-]*/g) ?? [],
    })),
    allowed: [...(fields['allowed-tools'] ?? '').matchAll(new RegExp(`Bash\\(${program} (\\w+) ?([^)]*)\\)`, 'g'))].map(
      ([, command = '', rest = '']) => ({ command, rest }),
    ),
  }
}
