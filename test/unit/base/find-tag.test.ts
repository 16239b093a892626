import { describe, expect, it } from 'vitest'
import { findTags } from '../../../src/base/find-tag.ts'

describe('findTags', () => {
  it.each([
    ['no tag', []],
    ['<promise>COMPLETE</promise>', ['COMPLETE']],
    ['a<promise>1</promise>b<promise>2</promise>', ['1', '2']],
    ['<promise>never closed', []],
    ['never opened</promise>', []],
    ['</promise><promise>after a stray end</promise>', ['after a stray end']],
    ['<promise><promise>inner</promise></promise>', ['inner']],
    ['<promise>two\nlines</promise>', ['two\nlines']],
    ['<promise></promise>', ['']],
    ['<promises>another name</promises>', []],
  ])('finds in %j: %j', (text, found) => {
    expect(findTags(text, 'promise')).toEqual(found)
  })

  // Quadratic work on 1 MB would take minutes; the limit is far above what a loaded machine needs for linear work.
  it.each([
    ['only opened', '<promise>'],
    ['only closed', '</promise>'],
    ['opened and half closed', '<promise></promise'],
    ['bare brackets', '<<<<<<<<'],
  ])('106 redos-tag-1mb: 1 MB of tags that are %s costs no time', (_, piece) => {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length))
    const start = performance.now()
    expect(findTags(text, 'promise')).toEqual([])
    expect(performance.now() - start).toBeLessThan(1000)
  })
})
