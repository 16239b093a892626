/** A process that a person suspended (Ctrl+Z) hears nothing: it goes on, so that it can do what it is asked. */
export function wakeProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT')
  } catch (error) {
    // It is gone, or somebody else's: whoever waits for it will see that.
    if (!(error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'EPERM'))) throw error
  }
}
