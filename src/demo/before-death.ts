import { killAllChildren } from '../process/live-children.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Calls back before this process ends by itself or by a signal that nobody else listens for; who listens is expected to
 * return in good order. Gives back how to take it off again.
 */
export function beforeDeath(work: () => void): () => void {
  const stop = (): void => {
    process.off('exit', work)
    for (const signal of signals) process.off(signal, onSignal)
  }
  const onSignal = (signal: NodeJS.Signals): void => {
    if (process.listenerCount(signal) > 1) return
    void killAllChildren().finally(() => {
      work()
      stop()
      process.kill(process.pid, signal)
    })
  }
  process.on('exit', work)
  for (const signal of signals) process.on(signal, onSignal)
  return stop
}
