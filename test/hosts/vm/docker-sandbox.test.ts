import { describe } from 'vitest'
import { dockerSandbox } from '../../../src/isolation/docker-sandbox.ts'
import { machinesWork, needsMachines } from '../../support/fake-sandbox.ts'
import { stageVm } from '../../support/staged-vm.ts'
import { keepsContract } from '../../integration/isolation/contract.ts'

describe.skipIf(!machinesWork)(`docker-sandbox, a fake of it ${needsMachines}`, () => {
  keepsContract({ stage: (secrets) => stageVm(dockerSandbox, { secrets }) })
})
