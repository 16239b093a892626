import type { Rule } from '../../rule.ts'
import { codeOf } from '../../shell/interpreter-code.ts'
import { unknown } from '../../shell/pattern.ts'
import { shells, shellTask } from '../../shell/shell-text.ts'
import type { Ran } from '../../shell/trace.ts'

export const hiddenScript: Rule = {
  name: 'hidden-script',
  category: 'obfuscation',
  why: 'A script that is decoded, or comes through a pipe, is one that nobody has read.',
  instead: 'Write it into a file of the project, look at it, and run that file by its name.',
  forbids(command) {
    const { name, args, input, outputs } = command
    const isShell = shells.has(name)
    if (isShell || name === 'eval' || name === 'source' || name === '.') {
      const isUnknown = args.some((arg) => arg.includes(unknown))
      if (isUnknown && outputs.some(decodes)) return 'would run a script that is decoded only then'
    }
    const isFed = isShell ? shellTask(args).kind === 'input' : codeOf(name, args)?.text === null
    if (!isFed || input.commands.length === 0) return null
    const isUnread = input.texts.length === 0 || input.texts.some((text) => text.includes(unknown) && text.length < 4)
    return isUnread ? 'would run whatever comes through the pipe' : null
  },
}

const decoders = new Set(
  'base64 base32 basenc xxd openssl gpg gunzip zcat bzcat xzcat unxz bunzip2 uudecode rev tr'.split(' '),
)

const decodes = ({ name, args }: Ran): boolean =>
  decoders.has(name) ||
  (/^(?:python|perl|ruby|node|php)/.test(name) && args.some((arg) => /decode|fromhex|unhex|pack\(/.test(arg)))
