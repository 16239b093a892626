import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The directory that this Ralph was installed as: a clone, a plugin or a package. Found by walking up, because the code lies
 * in src/cli, or in scripts/lib once it is bundled.
 */
export function installationRoot(): string {
  const here = dirname(fileURLToPath(import.meta.url))
  for (let directory = here; ; directory = dirname(directory)) {
    if (existsSync(join(directory, '.claude-plugin', 'plugin.json'))) return directory
    if (dirname(directory) === directory) throw new Error(`${here} is not in an installation of Ralph`)
  }
}
