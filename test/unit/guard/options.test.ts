import { describe, expect, it } from 'vitest'
import { grammar, readOptions } from '../../../src/guard/options.ts'

const git = grammar('-m --message -C', 'force force-with-lease hard message')
const read = (text: string, of = git) => readOptions(text.split(' '), of)

describe('options of a program', () => {
  it('are letters put together, and the rest of a word is the value of one that takes some', () => {
    const options = read('-afmtext -qC dir x')
    expect(options.has('-a') && options.has('-f') && options.has('-q')).toBe(true)
    expect(options.has('-t')).toBe(false)
    expect(options.values('-m', '-C')).toEqual(['text', 'dir'])
    expect(options.operands).toEqual(['x'])
  })

  it('have their value behind = or in the next word', () => {
    expect(read('--message=a --message b c').values('--message')).toEqual(['a', 'b'])
    expect(read('--message --force').has('--force')).toBe(false)
  })

  it('may be abbreviated, and then count for all that they may stand for', () => {
    expect(read('--ha').has('--hard')).toBe(true)
    expect(read('--forc').has('--force-with-lease')).toBe(true)
    expect(read('--forc').has('--force')).toBe(true)
    expect(read('--force-w').has('--force')).toBe(false)
    expect(read('--force-with-lease=x').has('--force')).toBe(false)
    expect(read('--mes text').values('--message')).toEqual(['text'])
  })

  it('end at --, and a dash alone is none', () => {
    const options = read('- -- -f --force')
    expect(options.has('-f', '--force')).toBe(false)
    expect(options.operands).toEqual(['-', '-f', '--force'])
    expect(options.dashesAt).toBe(1)
    expect(read('x').dashesAt).toBeNull()
  })

  it('may have one dash or two, where letters are not put together', () => {
    const options = read('apply -auto-approve --var-file x -lock=false', grammar('--var-file', '', true))
    expect(options.has('--auto-approve')).toBe(true)
    expect(options.values('--var-file', '--lock')).toEqual(['x', 'false'])
    expect(options.operands).toEqual(['apply'])
  })
})
