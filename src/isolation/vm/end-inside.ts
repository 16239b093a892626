import { ok, type Result } from '../../base/result.ts'
import type { TreeEnd } from '../../process/end-tree.ts'
import { askBox } from './ask-box.ts'
import type { Drop } from './await-files.ts'
import type { ClientAnswer, VmClient } from './client.ts'
import { endScript } from './inside.ts'

export interface InsideEnd {
  readonly tree: TreeEnd
  /** How many processes could not be ended; they go with the box. */
  readonly left: number
  /** Of the command that `runScript` was to start. */
  readonly became: CommandEnd
}

export type CommandEnd =
  | { readonly kind: 'exited'; readonly status: number }
  /** The box has no such program. */
  | { readonly kind: 'missing' }
  /** It began, and was cut off. */
  | { readonly kind: 'cut-off' }
  /** It never began. */
  | { readonly kind: 'unknown' }

export interface EndRequest {
  readonly runId: string
  /** The processes of the start; empty if they are not known, and only the run's id says what is to end. */
  readonly known: string
  /** Where `runScript` wrote what became of its command. */
  readonly file: string
  /** Written when everything has ended. */
  readonly drop: Drop | null
}

/** In steps of 50 ms: what is told to end has two seconds for it. */
const patience = '40'

/** Ends what a command left behind in a box. null: this is not the start of the box that the list is of. */
export async function endInside(
  client: VmClient,
  name: string,
  { runId, known, file, drop }: EndRequest,
): Promise<Result<InsideEnd | null, ClientAnswer>> {
  const args = [file, runId, patience, known, drop?.text ?? '', ...(drop?.paths ?? [])]
  const said = await askBox(client, name, { script: endScript, args, asRoot: true })
  if (!said.ok) return said
  return ok(readEnd(said.value))
}

function readEnd(said: string): InsideEnd | null {
  const [, left, found, killed, became] = /^left (\d+) found (\d+) killed (\d+) became (.*)$/.exec(said) ?? []
  if (left === undefined) return null
  return {
    tree: {
      ended: Math.max(0, Number(found) - Number(left)),
      killed: Math.max(0, Number(killed) - Number(left)),
      survivors: [],
    },
    left: Number(left),
    became: readCommandEnd(became ?? ''),
  }
}

function readCommandEnd(became: string): CommandEnd {
  const [, status] = /^exit (\d+)$/.exec(became) ?? []
  if (status !== undefined) return { kind: 'exited', status: Number(status) }
  if (became === 'missing') return { kind: 'missing' }
  return { kind: became === 'started' ? 'cut-off' : 'unknown' }
}
