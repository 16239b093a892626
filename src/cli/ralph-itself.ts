import { join } from 'node:path'
import { installationRoot } from './installation.ts'

/** The command line of this very Ralph: for agents that are part of it, and for a run that goes on without a terminal. */
export const ralphItself = (): [string, string] => [process.execPath, join(installationRoot(), 'scripts', 'ralph.mjs')]

/** The same where node is another one. */
export const ralphInBox = (): [string, string] => ['node', ralphItself()[1]]
