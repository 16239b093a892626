import { watch, type FSWatcher } from 'node:fs'
import { errnoOf } from '../store/attempt.ts'

/** Tells when a file may have changed. */
export interface Changes {
  /** Returns when something happened since the last call, or after a while in any case: not every disk tells. */
  next(): Promise<void>
  close(): void
}

/** The file need not be there yet. */
export function changesOf(path: string, pollMs: number): Changes {
  let watcher: FSWatcher | null = null
  let isNews = false
  let wake = (): void => undefined
  const tell = (): void => {
    isNews = true
    wake()
  }
  const forget = (): void => {
    watcher?.close()
    watcher = null
  }
  return {
    next: () =>
      new Promise((resolve) => {
        watcher ??= tryWatch(path, tell, forget)
        const timer = setTimeout(tell, pollMs)
        wake = () => {
          isNews = false
          wake = () => undefined
          clearTimeout(timer)
          resolve()
        }
        if (isNews) wake()
      }),
    close: forget,
  }
}

/** null where it cannot be watched, now or ever: then it is looked at from time to time. */
function tryWatch(path: string, tell: () => void, forget: () => void): FSWatcher | null {
  try {
    return watch(path, { persistent: false }, tell).on('error', forget)
  } catch (error) {
    errnoOf(error)
    return null
  }
}
