import { randomBytes } from 'node:crypto'
import { err, ok, type Result } from '../../base/result.ts'
import type { ClientAnswer, VmClient } from './client.ts'
import { bash } from './inside.ts'

export interface Question {
  /** Gets a word as `$1` and says it before its answer. */
  readonly script: string
  readonly args?: readonly string[]
  readonly asRoot?: boolean
  readonly stdin?: Uint8Array
  readonly timeoutMs?: number
}

/** Answers get lost: nothing printed, and exit code 0. */
const attempts = 3

/**
 * Runs a script of ours in a box, and gives what it said. By a word that only it knows: banners, errors that come on stdout and
 * lost answers are none. A box that is stopped is started by it, where the program does so.
 */
export async function askBox(
  client: VmClient,
  name: string,
  { script, args = [], asRoot = false, stdin, timeoutMs = 60_000 }: Question,
): Promise<Result<string, ClientAnswer>> {
  for (let attempt = 1; ; attempt++) {
    const word = randomBytes(8).toString('hex')
    const options = [...(stdin === undefined ? [] : ['-i']), ...(asRoot ? ['-u', 'root'] : []), '-w', '/']
    const words = ['exec', ...options, name, ...bash, script, 'ralph', word, ...args]
    const answer = await client.call(words, { timeoutMs, ...(stdin === undefined ? {} : { stdin }) })
    const lines = `${answer.stdout}\n${answer.stderr}`.split('\n')
    const said = lines.find((line) => line.startsWith(`${word} `))
    if (said !== undefined) return ok(said.slice(word.length + 1).trim())
    const isLost = answer.exitCode === 0 && answer.stdout.trim() === ''
    if (!isLost || attempt === attempts) return err(answer)
  }
}
