import { describe } from 'vitest'
import { sbx } from '../../../src/isolation/sbx.ts'
import { machinesWork, needsMachines } from '../../support/fake-sandbox.ts'
import { stageVm } from '../../support/staged-vm.ts'
import { keepsContract } from '../../integration/isolation/contract.ts'

describe.skipIf(!machinesWork)(`sbx, a fake of it ${needsMachines}`, () => {
  keepsContract({ stage: (secrets) => stageVm(sbx, { secrets }) })
})
