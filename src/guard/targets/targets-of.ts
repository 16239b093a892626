import { fileTargets, type Targets } from './file-targets.ts'
import { gitTargets } from './git-targets.ts'

const nothing: Targets = () => []

/** The programs that change what they name, but git. */
export const targeting: string = [...fileTargets.keys()].join(' ')

export const targetsOf = (name: string): Targets => (name === 'git' ? gitTargets : (fileTargets.get(name) ?? nothing))
