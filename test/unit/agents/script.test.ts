import { expect, it } from 'vitest'
import { script } from '../../../src/agents/script.ts'
import { someRequest } from '../../support/play-stream.ts'

it('the agent of the demo is Ralph itself', () => {
  expect(script.program).toBeNull()
  expect(script.command(someRequest)).toEqual({ args: ['demo', '--act'], env: {}, stdin: 'Do it.' })
})
