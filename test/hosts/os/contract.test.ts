import { describe, inject } from 'vitest'
import { keepsContract } from '../../integration/isolation/contract.ts'
import { openOsBox } from './lab.ts'

const srt = inject('srt')

describe.skipIf(srt === null)('the OS sandbox, as every box', () => {
  keepsContract({
    stage: async (secrets) => {
      const { isolation, box, place, runId, end } = await openOsBox({ secrets })
      return { isolation, box, project: place.site.project, outside: place.outside, runId, end }
    },
  })
})
