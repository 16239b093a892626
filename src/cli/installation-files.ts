import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { installationRoot } from './installation.ts'

/** The prompt for projects that have none of their own. Read when a run starts, never later: the agent may be able to write there. */
export const defaultTemplate = (): string => readFileSync(join(installationRoot(), 'templates', 'prompt.md'), 'utf8')

/** This installation as a plugin of Claude Code; null while it has no hooks to offer. */
export const pluginDirectory = (): string | null =>
  existsSync(join(installationRoot(), 'hooks', 'hooks.json')) ? installationRoot() : null

/** The programs of this installation. */
export const scriptsDirectory = (): string => join(installationRoot(), 'scripts')
