import type { Rule } from '../../rule.ts'
import { codeOf, interpreters } from '../../shell/interpreter-code.ts'
import { unknown } from '../../shell/pattern.ts'
import { shells, shellTask } from '../../shell/shell-text.ts'
import { isHelp } from '../../targets/is-help.ts'
import { operandsOf } from '../../targets/operands.ts'
import type { Ran } from '../../shell/trace.ts'

export const hiddenScript: Rule = {
  name: 'hidden-script',
  category: 'obfuscation',
  why: 'A script that is decoded, or comes through a pipe, is one that nobody has read.',
  instead: 'Write it into a file of the project, look at it, and run that file by its name.',
  get programs() {
    return [...shells, 'eval', 'source', '.', 'parallel', interpreters].join(' ')
  },
  forbids(command) {
    const { name, args, input, outputs, through } = command
    const isShell = shells.has(name)
    if (isShell || name === 'eval' || name === 'source' || name === '.') {
      const isUnknown = args.some((arg) => arg.includes(unknown))
      if (isUnknown && outputs.some(decodes)) return 'would run a script that is decoded only then'
      if (isUnknown && isUnset(command)) return 'would run a script that is in a variable nobody has set'
      // What awk prints goes into it.
      if (isShell && (through.at(-1) ?? '').endsWith('awk') && shellTask(args).kind === 'input')
        return 'would run whatever is printed into it'
    }
    if (name === 'parallel' && operandsOf(args, '-j -S -a -d -C --jobs --delay --timeout --joblog').length === 0)
      return isHelp(args) ? null : 'would run whatever it reads'
    const code = isShell ? null : codeOf(name, args)
    if (code !== null && decodesItself((code.text ?? '').slice(0, 20_000)))
      return 'would run code that is decoded only then'
    const isFed = isShell ? shellTask(args).kind === 'input' : code?.text === null
    if (!isFed || input.commands.length === 0) return null
    const isUnread = input.texts.length === 0 || input.texts.some((text) => text.includes(unknown) && text.length < 4)
    return isUnread ? 'would run whatever comes through the pipe' : null
  },
}

/** All of what `eval` or `sh -c` is given is the value of a variable, and nobody knows it. */
function isUnset({ name, args, outputs, variables }: Ran): boolean {
  if (outputs.length > 0 || variables.length === 0) return false
  const task = shells.has(name) ? shellTask(args) : null
  const text = task === null ? (name === 'eval' ? args.join(' ') : '') : task.kind === 'text' ? task.text : ''
  return text === unknown
}

const decoders = new Set(
  'base64 base32 basenc xxd openssl gpg gunzip zcat bzcat xzcat unxz bunzip2 uudecode rev tr'.split(' '),
)

const running =
  /(?<![\w.])(?:exec|eval|system|popen|Function|execSync|shell_exec)\s*\(|\.(?:system|popen|execSync)\s*\(/
const decoding =
  /\b(?:b64decode|b32decode|a85decode|fromhex|unhexlify|decompress|rot_?13|atob|base64_decode|hex2bin|str_rot13|decode64|unpack1?|fromCharCode|chr)\b|\bBuffer\.from\s*\([^,)]*,/

const decodesItself = (code: string): boolean => running.test(code) && decoding.test(code)

const decodes = ({ name, args }: Ran): boolean =>
  decoders.has(name) ||
  (/^(?:python|perl|ruby|node|php)/.test(name) && args.some((arg) => /decode|fromhex|unhex|pack\(/.test(arg)))
