import type { Output } from './command.ts'

/**
 * The two real streams, opened when first written to (each costs about a millisecond of the start). What agents wrote has
 * to be made visible before it comes here.
 */
export function openPrinter(onOutputError: (error: NodeJS.ErrnoException) => void): Output {
  let out: NodeJS.WriteStream | undefined
  let trouble: NodeJS.WriteStream | undefined
  let isClosed = false
  const stdout = (): NodeJS.WriteStream =>
    (out ??= process.stdout.on('error', (error) => {
      isClosed = true
      onOutputError(error)
    }))
  return {
    line(text) {
      stdout().write(`${text}\n`)
    },
    remark(text) {
      // A message that nobody can read any more is no reason to fail.
      trouble ??= process.stderr.on('error', () => undefined)
      trouble.write(`${text}\n`)
    },
    isClosed: () => isClosed,
    screen: () => ({
      write: (text) => void stdout().write(text),
      isTerminal: stdout().isTTY,
      columns: () => stdout().columns ?? 0,
      every(ms, tick) {
        const timer = setInterval(tick, ms)
        timer.unref()
        return () => clearInterval(timer)
      },
    }),
  }
}
