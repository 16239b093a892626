// @ts-check
// Keeps an OS sandbox open for a run: it has sandbox-runtime's filtering proxies in it, which read what agents send, so they
// are not in the runner. Written by hand. One JSON request a line in, one answer a line out; when stdin ends, because the
// runner has closed it or was killed, everything that was made is taken away again.
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { rmSync } from 'node:fs'

/**
 * @typedef {object} Runtime
 * @property {(config: object, ask?: () => Promise<boolean>) => Promise<void>} initialize
 * @property {(command: string, shell: string, config: object, signal: undefined, options: object) => Promise<string>} wrapWithSandbox
 * @property {() => void} cleanupAfterCommand
 * @property {() => Promise<void>} reset
 */

/** @type {{ runtime: Runtime | null, directory: string | null }} */
const kept = { runtime: null, directory: null }

// The terminal's Ctrl+C is for the runner, who says when this ends.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => undefined)

/** @param {any} request */
async function answer(request) {
  switch (request.do) {
    case 'open': {
      kept.directory = request.directory
      const loaded = await import(pathToFileURL(request.module).href)
      const runtime = /** @type {Runtime} */ (loaded.SandboxManager)
      kept.runtime = runtime
      // Asked only about hosts that no list names.
      await runtime.initialize(request.config, request.anyHost ? () => Promise.resolve(true) : undefined)
      return {}
    }
    case 'wrap': {
      if (kept.runtime === null) throw new Error('not open')
      const { command, shell, filesystem } = request
      // Under a name of ours: by default the command itself, secrets and all, becomes the name of a user at the proxy.
      const options = { commandId: 'ralph' }
      return { line: await kept.runtime.wrapWithSandbox(command, shell, { filesystem }, undefined, options) }
    }
    case 'clean':
      kept.runtime?.cleanupAfterCommand()
      return {}
    default:
      throw new Error(`unknown request ${request.do}`)
  }
}

const lines = createInterface({ input: process.stdin, crlfDelay: Infinity })
// The runner may be gone before it has read an answer.
process.stdout.on('error', () => undefined)
for await (const line of lines) {
  try {
    process.stdout.write(`${JSON.stringify({ ok: true, ...(await answer(JSON.parse(line))) })}\n`)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    process.stdout.write(`${JSON.stringify({ ok: false, why })}\n`)
  }
}
try {
  await kept.runtime?.reset()
} finally {
  if (kept.directory !== null) rmSync(kept.directory, { recursive: true, force: true })
}
process.exit(0)
