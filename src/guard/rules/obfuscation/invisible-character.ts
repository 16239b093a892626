import type { Rule } from '../../rule.ts'

export const invisibleCharacter: Rule = {
  name: 'invisible-character',
  category: 'obfuscation',
  why: 'Characters that nobody sees make a command look like another one.',
  instead: 'Write it without them.',
  forbids({ word }) {
    if (/^[ -~]*$/.test(word)) return null
    return /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad]/.test(word)
      ? 'would run a name with invisible characters'
      : null
  },
}
