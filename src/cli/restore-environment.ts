/** Where `scripts/ralph.sh` puts NODE_EXTRA_CA_CERTS: with it node 20 starts three times slower, and Ralph itself needs no certificates. */
const saved = 'RALPH_SAVED_NODE_EXTRA_CA_CERTS'

/** Agents and checks do need it, so it goes back to its name before anything can be started. */
export function restoreEnvironment(env: Record<string, string | undefined>): void {
  const value = env[saved]
  if (value === undefined) return
  env['NODE_EXTRA_CA_CERTS'] ??= value
  delete env[saved]
}
