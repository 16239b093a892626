import { describe, expect, it } from 'vitest'
import { isArtefact, nameArtefacts } from '../../../src/workflows/artefacts.ts'

describe('nameArtefacts', () => {
  const tree = ['src/a.ts', 'src/deep/b.ts', 'package.json']

  it.each([
    [['coverage/lcov.info', 'coverage/html/index.html'], ['coverage/']],
    [['src/__pycache__/a.pyc'], ['src/__pycache__/']],
    [['src/a.ts.snap'], ['src/a.ts.snap']],
    [['junit.xml'], ['junit.xml']],
    [
      ['src/deep/out/x', 'src/deep/out/y', 'junit.xml'],
      ['src/deep/out/', 'junit.xml'],
    ],
  ])('calls %j by %j', (added, names) => {
    expect(nameArtefacts(added, tree)).toEqual(names)
  })

  it('names no more than it can remember', () => {
    const added = Array.from({ length: 2000 }, (_, index) => `f${index}`)
    expect(nameArtefacts(added, tree)).toHaveLength(500)
  })
})

describe('isArtefact', () => {
  it('takes a directory for all that is in it, and a file for itself alone', () => {
    expect(isArtefact('coverage/later/x', ['coverage/'])).toBe(true)
    expect(isArtefact('coverage-of-mine', ['coverage/'])).toBe(false)
    expect(isArtefact('junit.xml', ['junit.xml'])).toBe(true)
    expect(isArtefact('junit.xml.ts', ['junit.xml'])).toBe(false)
  })
})
