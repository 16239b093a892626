/**
 * Runs a short program and waits for it: what it printed, or null if it failed or took too long. For hooks, where
 * loading node:child_process costs as much as all the rest, so it is loaded when somebody needs it.
 */
export function runBriefly(
  program: string,
  args: readonly string[],
  { env, timeoutMs }: { readonly env: NodeJS.ProcessEnv; readonly timeoutMs: number },
): string | null {
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const { status, stdout } = spawnSync(program, args, {
    env,
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 64 * 1024 * 1024,
    encoding: 'utf8',
  })
  return status === 0 ? stdout : null
}
