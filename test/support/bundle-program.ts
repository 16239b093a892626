import { join } from 'node:path'
import { buildSync } from 'esbuild'

/** A program of `test/support/programs` as one JavaScript file in `directory`: it starts as fast as node does. */
export function bundleProgram(name: string, directory: string): string {
  const outfile = join(directory, `${name}.cjs`)
  buildSync({
    entryPoints: [join(import.meta.dirname, 'programs', `${name}.ts`)],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    outfile,
    logLevel: 'error',
  })
  return outfile
}
