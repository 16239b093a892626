import type { ExecRequest } from '../isolation.ts'
import { bash, runScript } from './inside.ts'

export interface ExecArguments {
  readonly words: readonly string[]
  /** Of the client: what `-e NAME` takes its values from, so that none of them is in a list of processes. */
  readonly env: Readonly<Record<string, string>>
}

/** What the client needs for itself it keeps: another HOME would be another configuration of its own. */
export function execArguments(
  name: string,
  { argv, cwd, env, runId, stdin }: Pick<ExecRequest, 'argv' | 'cwd' | 'env' | 'runId' | 'stdin'>,
  { file, client }: { readonly file: string; readonly client: Readonly<Record<string, string>> },
): ExecArguments {
  const names = Object.keys(env).filter(
    (variable) =>
      variable !== 'RALPH_RUN_ID' && isVariable(variable) && (client[variable] ?? env[variable]) === env[variable],
  )
  const passed = names.flatMap((variable) => ['-e', variable])
  const options = [...(stdin === undefined ? [] : ['-i']), '-w', cwd, '-e', `RALPH_RUN_ID=${runId}`, ...passed]
  return {
    words: ['exec', ...options, name, ...bash, runScript, 'ralph', file, ...argv],
    env: { ...Object.fromEntries(names.map((variable) => [variable, env[variable] ?? ''])), ...client },
  }
}

/** Others the client could take for `NAME=value`. */
const isVariable = (name: string): boolean => /^[^=\s]+$/.test(name)
