import { describe, expect, it } from 'vitest'
import { harmfulVerb, isHarmless, verbGrammar } from '../../../src/guard/verbs.ts'

const cloud = verbGrammar('delete purge-* *:destroy disk/wipe', { valued: '--project -h' })
const verbOf = (text: string): string | null => harmfulVerb(text.split(' '), cloud)

describe('the verb of a program of many commands', () => {
  it.each([
    ['delete x', 'delete'],
    ['vm delete x --zone z', 'vm delete'],
    ['--project p vm delete x', 'vm delete'],
    ['vm disk wipe', 'vm disk wipe'],
    ['queue purge-all', 'queue purge-all'],
    ['apps:destroy a', 'apps:destroy'],
    ['vm DELETE x', 'vm delete'],
    ['a b --verbose delete', 'a b delete'],
  ])('harms: %s', (text, verb) => expect(verbOf(text)).toBe(verb))

  it.each([
    ['where it only looks', 'vm list delete'],
    ['where it is the value of an option', '--project delete vm list'],
    ['where it is the value of an option behind the verb', 'vm start --name delete'],
    ['where two words do not follow each other', 'disk show wipe'],
    ['where it is too far behind', 'a b c d delete'],
    ['behind --', 'vm start -- delete'],
    ['where it asks for help', 'vm delete --help'],
    ['where it is only tried', 'vm delete x --dry-run'],
  ])('is none %s', (_, text) => expect(verbOf(text)).toBeNull())

  it('is not excused by help that is no option, or is switched off', () => {
    expect(isHarmless(['delete', '--', '--help'])).toBe(false)
    expect(isHarmless(['delete', '--dry-run=none'])).toBe(false)
    expect(isHarmless(['delete', '--dry-run=client'])).toBe(true)
    expect(isHarmless(['query', '--dry_run'])).toBe(true)
  })
})
