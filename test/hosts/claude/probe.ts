import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bash, type ClaudeLab } from './lab.ts'
import { says, type Answer } from './messages-api.ts'
import type { Stream } from './stream.ts'

/** Something that the guard denies as long as there is one. */
export const probe = (lab: ClaudeLab, name: string): Answer =>
  says({ tool: 'Write', input: { file_path: join(lab.project, 'ralph', 'prompt.md'), content: `PLANTED ${name}\n` } })

/** The probes that were denied; any other call as ''. */
export const deniedIn = ({ result }: Stream): string[] =>
  (result['permission_denials'] as { tool_input: { content?: string } }[]).map(({ tool_input: { content = '' } }) =>
    content.replace(/^PLANTED |\n$/g, ''),
  )

/** By a program, which the guard does not look into. */
export function byProgram(lab: ClaudeLab, text: string): Answer {
  const path = join(lab.root, `act-${lab.api.asked.length}.mjs`)
  writeFileSync(path, `import * as fs from 'node:fs'\nimport { execFileSync } from 'node:child_process'\n${text}\n`)
  return says(bash(`node '${path}'`))
}

/** One iteration of an author; each answer is asked for when its turn comes. */
export async function implement(lab: ClaudeLab, ...answers: readonly (() => Answer)[]): Promise<Stream> {
  lab.api.model = ({ turn }) => answers[turn]?.() ?? says('Done.')
  await lab.run(['-n', '1', '--agent-arg', '--include-hook-events'])
  return lab.streams()[0] as Stream
}
