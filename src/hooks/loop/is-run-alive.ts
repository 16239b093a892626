import { errnoOf } from '../../store/attempt.ts'

/** Whether the process that wrote the marker is there; the lock of its run lives and dies with it. */
export function isRunAlive(pid: number | undefined): boolean {
  // No system gives larger ones, and 0 would be ourselves.
  if (pid === undefined || pid < 1 || pid > 2 ** 31 - 1) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errnoOf(error) !== 'ESRCH'
  }
}
