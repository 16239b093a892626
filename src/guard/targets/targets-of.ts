import { fileTargets, type Targets } from './file-targets.ts'
import { gitTargets } from './git-targets.ts'

const nothing: Targets = () => []

export const targetsOf = (name: string): Targets => (name === 'git' ? gitTargets : (fileTargets.get(name) ?? nothing))
