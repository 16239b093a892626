import { describe, expect, it } from 'vitest'
import { containedArgv, containedStatus, type Containment } from '../../../src/process/containment.ts'

const tree: Containment = { level: 'tree', reason: 'no namespaces here' }
const namespace: Containment = { level: 'namespace', wrapper: ['/w', '--'], reason: 'works', noMask: 'none wanted' }

describe('containedArgv', () => {
  it('puts the wrapper in front, and nothing without one', () => {
    expect(containedArgv(namespace, ['/a', 'b'])).toEqual(['/w', '--', '/a', 'b'])
    expect(containedArgv(tree, ['/a', 'b'])).toEqual(['/a', 'b'])
  })
})

describe('containedStatus', () => {
  it.each([
    [137, { exitCode: null, signal: 'SIGKILL' }],
    [143, { exitCode: null, signal: 'SIGTERM' }],
    [139, { exitCode: null, signal: 'SIGSEGV' }],
    [129, { exitCode: 129, signal: null }],
    [128, { exitCode: 128, signal: null }],
    [255, { exitCode: 255, signal: null }],
    [0, { exitCode: 0, signal: null }],
  ])('reads exit code %i of the namespace', (exitCode, status) => {
    expect(containedStatus(namespace, { exitCode, signal: null })).toEqual(status)
  })

  it('leaves a status alone that no shell stood in front of', () => {
    expect(containedStatus(tree, { exitCode: 137, signal: null })).toEqual({ exitCode: 137, signal: null })
  })
})
