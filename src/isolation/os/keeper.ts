import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject, parseJson, type JsonObject } from '../../base/json.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { trustedPath } from '../../process/find-program.ts'
import { startCompanion, type Companion } from '../../process/companion.ts'
import type { Opening, Site } from '../isolation.ts'
import type { Runtime } from './find-runtime.ts'
import { networkPolicy, type BoxPlaces, type FilePolicy } from './policy.ts'

/** sandbox-runtime at work in a process of its own, with its proxies; see scripts/box-keeper.mjs. */
export interface Keeper {
  readonly places: BoxPlaces
  /** The line for a shell by which a script of a shell's runs in the sandbox; sentences as errors. */
  wrap(script: string, shell: string, files: FilePolicy): Promise<Result<string, string>>
  /** What was wrapped has ended. */
  clean(): Promise<void>
  /** Everything is put away: proxies, sockets, temporary files. */
  end(): Promise<void>
}

const answerMs = 30_000
/** A proxy between this machine and the world is one for the sandbox's proxies as well. */
const proxyNames = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()])

export async function openKeeper(
  { module, helpers }: Runtime,
  { scripts, places, env }: Pick<Site, 'scripts' | 'places' | 'env'>,
  hosts: Opening['hosts'],
): Promise<Result<Keeper, string>> {
  // Not where the state is: the name of a socket may have no more than 107 bytes.
  const directory = realpathSync(mkdtempSync('/tmp/ralph-box-'))
  const own = { scratch: join(directory, 'scratch'), net: join(directory, 'net') }
  mkdirSync(own.net)
  mkdirSync(own.scratch)
  const started = await startCompanion({
    argv: [process.execPath, join(scripts, 'box-keeper.mjs')],
    // sandbox-runtime also protects what it finds in its own directory, by files that it puts there.
    cwd: own.net,
    env: {
      PATH: trustedPath(places),
      // It would let the box write to directories in the user's.
      HOME: own.net,
      TMPDIR: own.net,
      CLAUDE_CODE_TMPDIR: own.scratch,
      ...Object.fromEntries(proxyNames.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
    },
  })
  if (!started.ok) {
    rmSync(directory, { recursive: true, force: true })
    return err(`${started.error.program} cannot be started (${started.error.code}).`)
  }
  const companion = started.value
  const { bwrap, socat, rg } = helpers
  const opened = await ask(companion, {
    do: 'open',
    module,
    directory,
    anyHost: hosts === null,
    config: {
      network: networkPolicy(hosts),
      filesystem: { denyRead: [], allowRead: [], allowWrite: [], denyWrite: [] },
      ...(bwrap === null ? {} : { bwrapPath: bwrap }),
      ...(socat === null ? {} : { socatPath: socat }),
      ...(rg === null ? {} : { ripgrep: { command: rg } }),
    },
  })
  const end = async (): Promise<void> => {
    await companion.end()
    // It has done so itself, unless it had to be killed.
    rmSync(directory, { recursive: true, force: true })
  }
  if (!opened.ok) {
    await end()
    return opened
  }
  return ok({
    places: own,
    wrap: async (script, shell, filesystem) => {
      // In a file: quoted as often as sandbox-runtime does it, an argument could grow beyond what the kernel takes.
      const file = join(own.net, 'start')
      writeFileSync(file, script, { mode: 0o600 })
      const wrapped = await ask(companion, { do: 'wrap', command: `. ${file}`, shell, filesystem })
      if (!wrapped.ok) return wrapped
      const { line } = wrapped.value
      return typeof line === 'string' ? ok(line) : err('sandbox-runtime gave no command.')
    },
    clean: async () => void (await ask(companion, { do: 'clean' })),
    end,
  })
}

async function ask(companion: Companion, question: object): Promise<Result<JsonObject, string>> {
  const answer = await companion.ask(JSON.stringify(question).replaceAll(/[\u2028\u2029]/g, escaped), answerMs)
  if (!answer.ok) return answer
  const json = parseJson(answer.value, { anyKey: true })
  if (!json.ok || !isObject(json.value)) return err('its keeper gave no answer that can be read.')
  const { ok: isDone, why } = json.value
  return isDone === true ? ok(json.value) : err(typeof why === 'string' ? why : 'its keeper did not say why.')
}

/** Some versions of node take them for the end of a line. */
const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16)}`
